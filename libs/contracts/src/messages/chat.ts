import { z } from 'zod';
import { askedModel } from '../text.js';

export const chatTurn = z
  .strictObject({
    content: z
      .string()
      .min(1)
      .max(2_000_000)
      .optional()
      .describe('What the user says. Left out: goes on with what is there, such as tool results.'),
    model: askedModel
      .optional()
      .describe(
        "Left out: the thread's own, or else the server's. Others only when SPILLWAY_CHAT_MODELS lists them.",
      ),
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
