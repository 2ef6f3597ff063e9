import { z } from 'zod';
import { whole } from '../quantities.js';
import { plainText } from '../text.js';

const price = z.number().min(0).max(1_000_000);

export const model = z
  .object({
    id: z.string().describe('The name, where clients of OpenAI and Anthropic look for it.'),
    object: z.literal('model').describe('Always `model`, as these clients expect.'),
    name: z
      .string()
      .describe("As threads name it; matched without the provider's prefix and without a date."),
    context_window: whole.describe('Tokens the model accepts, input and output together.'),
    source: z.enum(['registry', 'override']).describe('The source of the context window.'),
    input_price: price.nullable().describe('USD per million input tokens; null when not set.'),
    output_price: price.nullable().describe('USD per million output tokens.'),
    cached_input_price: price
      .nullable()
      .describe("USD per million input tokens read from the provider's cache."),
  })
  .meta({ id: 'Model', description: 'A model with its context window and the prices that the project set.' });

export const modelOverride = z
  .strictObject({
    context_window: z
      .number()
      .int()
      .min(256)
      .max(100_000_000)
      .describe('Optional for a model in the registry.'),
    input_price: price.nullable().describe('USD per million tokens, as the others.'),
    output_price: price.nullable().describe('USD per million output tokens.'),
    cached_input_price: price.nullable().describe('Default: the price of input.'),
  })
  .partial()
  .refine((override) => Object.keys(override).length > 0, 'must set at least one field')
  .meta({ id: 'ModelOverride' });

export const modelName = plainText(200).refine((name) => name.length > 0, 'must not be empty');
