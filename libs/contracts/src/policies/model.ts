import { z } from 'zod';
import { plainText } from '../text.js';

const price = z.number().min(0).max(1_000_000);

export const model = z
  .object({
    name: z.string(),
    context_window: z.number().int().describe('Tokens the model accepts, input and output together.'),
    source: z.enum(['registry', 'override']).describe('Where the context window comes from.'),
    input_price: price.nullable().describe('USD for a million input tokens; null when none was set.'),
    output_price: price.nullable().describe('USD for a million output tokens.'),
    cached_input_price: price
      .nullable()
      .describe("USD for a million input tokens read from the provider's cache."),
  })
  .meta({ id: 'Model' });

export const modelOverride = z
  .strictObject({
    context_window: z
      .number()
      .int()
      .min(256)
      .max(100_000_000)
      .describe('May be left out for a model that is in the registry.'),
    input_price: price.nullable().describe('USD for a million tokens, as are the others.'),
    output_price: price.nullable(),
    cached_input_price: price.nullable().describe('Left out: cached input costs what input does.'),
  })
  .partial()
  .refine((override) => Object.keys(override).length > 0, 'must say something')
  .meta({ id: 'ModelOverride' });

export const modelName = plainText(200).refine((name) => name.length > 0, 'must not be empty');
