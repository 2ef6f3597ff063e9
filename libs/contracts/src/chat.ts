import { z } from 'zod';

export const chatTurn = z
  .strictObject({
    content: z
      .string()
      .min(1)
      .max(2_000_000)
      .optional()
      .describe('What the user says. Left out: goes on with what is there, such as tool results.'),
    model: z.string().min(1).max(200).optional(),
  })
  .meta({ id: 'ChatTurn' });

export const chatReply = z
  .object({
    seq: z.number().int(),
    message: z.looseObject({}).describe("The model's message, in OpenAI chat format."),
    context_tokens: z.number().int(),
    usage: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'ChatReply' });
