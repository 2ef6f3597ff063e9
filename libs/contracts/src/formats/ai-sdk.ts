import { z } from 'zod';
import { callId, envelope } from './envelope.js';

const named = ['text', 'tool-call', 'tool-result'];
const other = z
  .looseObject({
    type: z
      .string()
      .refine((type) => !named.includes(type), { abort: true, error: 'lacks required fields of its type' }),
  })
  .superRefine((part, context) => {
    const field = { image: 'image', file: 'data' }[part.type];
    if (field && isBytes(dataIn(part[field])))
      context.addIssue({
        code: 'custom',
        path: [field],
        message: 'has bytes, which JSON cannot hold: send them as base64',
      });
  });

/** The data of a file may say its own kind. */
const dataIn = (source: unknown): unknown =>
  isObject(source) && source.type === 'data' ? source.data : source;

/**
 * Whether an image or a file was in memory and `JSON.stringify` wrote it: a Buffer as a list of numbers, a Uint8Array as
 * numbered keys, an ArrayBuffer as nothing.
 */
const isBytes = (value: unknown): boolean =>
  isObject(value) &&
  ((value.type === 'Buffer' && Array.isArray(value.data)) ||
    typeof value['0'] === 'number' ||
    Object.keys(value).length === 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
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
