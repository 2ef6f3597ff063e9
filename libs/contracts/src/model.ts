import { z } from 'zod';

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
