import { z } from 'zod';
import { askedModel } from '../text.js';

export const chatTurn = z
  .strictObject({
    content: z
      .string()
      .min(1)
      .max(2_000_000)
      .optional()
      .describe(
        "The user's message. Without it the turn continues with the recorded messages, such as tool results.",
      ),
    model: askedModel
      .optional()
      .describe(
        "Default: the thread's model, or the server's. Others must be listed in SPILLWAY_CHAT_MODELS.",
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
