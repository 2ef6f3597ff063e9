import { z } from 'zod';
import { position, whole } from '../quantities.js';
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
    seq: position.describe("Of the model's message."),
    message: z.looseObject({}).describe("The model's message, in OpenAI chat format."),
    context_tokens: whole.describe('Tokens of the context that the model was sent, as Spillway counts them.'),
    usage: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('As the provider gave it; null when it gave none.'),
  })
  .meta({ id: 'ChatReply' });
