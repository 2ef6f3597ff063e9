import { z } from 'zod';
import { callId, envelope as ours, typed } from './envelope.js';

/** Providers make ids of any form: some seal them, which takes hundreds of characters. */
const envelope = {
  ...ours,
  id: z
    .string()
    .max(4096)
    .nullish()
    .describe(
      "The provider's id of the item. In the form of a client's id, it is that too; contexts leave out one that no provider makes.",
    ),
};
const text = z.union([z.string(), z.array(typed).min(1)]);
const named = ['message', 'function_call', 'function_call_output'];

/**
 * One item of OpenAI's Responses API. Its own `id` stays, and is also the client's id of the message where it has the
 * form of one. Unknown items (reasoning, built-in tools and their outputs) are kept.
 */
export const responsesItem = z
  .union([
    z.looseObject({
      ...envelope,
      type: z.literal('message').optional(),
      role: z.enum(['system', 'developer', 'user']),
      content: text,
    }),
    z.looseObject({
      ...envelope,
      type: z.literal('message').optional(),
      role: z.literal('assistant'),
      content: z.union([z.string(), z.array(typed)]),
    }),
    z.looseObject({
      ...envelope,
      type: z.literal('function_call'),
      call_id: callId,
      name: z.string().min(1),
      arguments: z.string(),
    }),
    z.looseObject({
      ...envelope,
      type: z.literal('function_call_output'),
      call_id: callId,
      output: z.union([z.string(), z.array(typed)]),
    }),
    z.looseObject({
      ...envelope,
      type: z
        .string()
        .min(1)
        .max(200)
        .refine((type) => !named.includes(type), { abort: true, error: 'lacks required fields of its type' }),
      // None of a call that OpenAI runs itself.
      call_id: callId.nullish(),
    }),
  ])
  .meta({
    id: 'ResponsesItem',
    description:
      "An item of OpenAI's Responses API, documented at https://platform.openai.com/docs/api-reference/responses. `id`, `pinned` and `sent_at` are fields of Spillway; all others are kept as they are.",
  });
