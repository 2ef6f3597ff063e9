import { z } from 'zod';
import { plainText } from './text.js';

export const model = z
  .object({
    name: z.string(),
    context_window: z.number().int().describe('Tokens the model accepts, input and output together.'),
    source: z.enum(['registry', 'override']),
  })
  .meta({ id: 'Model' });

export const modelOverride = z
  .strictObject({ context_window: z.number().int().min(256).max(100_000_000) })
  .meta({ id: 'ModelOverride' });

export const modelName = plainText(200).refine((name) => name.length > 0, 'must not be empty');
