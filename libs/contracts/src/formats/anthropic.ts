import { z } from 'zod';
import { callId, envelope } from './envelope.js';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Not a record, which would drop `__proto__`: a model may write any key, and is shown what it wrote. */
const callInput = z
  .unknown()
  .refine(isObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: {} });

const block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: callId,
    name: z.string().min(1),
    input: callInput,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: callId,
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
    is_error: z.boolean().optional(),
  }),
  z.looseObject({
    type: z.string().refine((type) => !['text', 'tool_use', 'tool_result'].includes(type), {
      abort: true,
      error: 'lacks required fields of its type',
    }),
  }),
]);
const content = z.union([z.string(), z.array(block).min(1)]);
/** A model may end its turn without content. */
const answer = z.union([z.string(), z.array(block)]);

/** One message in Anthropic's format. Unknown fields and blocks are kept. */
export const anthropicMessage = z
  .discriminatedUnion('role', [
    z.looseObject({ ...envelope, role: z.literal('user'), content }),
    z.looseObject({ ...envelope, role: z.literal('assistant'), content: answer }),
    // In the middle of a conversation, from Claude Opus 4.8 on.
    z.looseObject({ ...envelope, role: z.literal('system'), content }),
  ])
  .meta({
    id: 'AnthropicMessage',
    description:
      "A message of Anthropic's Messages API, documented at https://docs.anthropic.com/en/api/messages. `id`, `pinned` and `sent_at` are fields of Spillway; all others are kept as they are.",
  });
