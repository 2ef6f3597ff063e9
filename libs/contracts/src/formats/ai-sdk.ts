import { z } from 'zod';
import { callId, envelope } from './envelope.js';

const named = ['text', 'tool-call', 'tool-result'];
const other = z.looseObject({
  type: z
    .string()
    .refine((type) => !named.includes(type), { abort: true, error: 'lacks required fields of its type' }),
});
const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const toolCall = z.looseObject({
  type: z.literal('tool-call'),
  toolCallId: callId,
  toolName: z.string().min(1),
  input: z.unknown(),
});
const toolResult = z.looseObject({
  type: z.literal('tool-result'),
  toolCallId: callId,
  toolName: z.string().min(1),
  output: z.looseObject({ type: z.string() }),
});

/** One model message of the AI SDK. Unknown fields and parts are kept. */
export const aiSdkMessage = z
  .discriminatedUnion('role', [
    z.looseObject({ ...envelope, role: z.literal('system'), content: z.string() }),
    z.looseObject({
      ...envelope,
      role: z.literal('user'),
      content: z.union([z.string(), z.array(z.union([text, other])).min(1)]),
    }),
    z.looseObject({
      ...envelope,
      role: z.literal('assistant'),
      content: z.union([z.string(), z.array(z.union([text, toolCall, toolResult, other]))]),
    }),
    z.looseObject({
      ...envelope,
      role: z.literal('tool'),
      content: z.array(z.union([toolResult, other])).min(1),
    }),
  ])
  .meta({
    id: 'AiSdkMessage',
    description:
      'A model message of the AI SDK, documented at https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message. `id`, `pinned` and `sent_at` are fields of Spillway; all others are kept as they are.',
  });
