import { z } from 'zod';
import { callId, envelope, typed } from './envelope.js';

const text = z.union([z.string(), z.array(typed).min(1)]);
const toolCall = z.looseObject({
  id: callId,
  type: z.string().optional(),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }).optional(),
  custom: z.looseObject({ name: z.string().min(1), input: z.string() }).optional(),
});

/** One message in OpenAI chat format. Unknown fields are kept. */
export const openaiMessage = z
  .discriminatedUnion('role', [
    z.looseObject({ ...envelope, role: z.literal('system'), content: text }),
    z.looseObject({ ...envelope, role: z.literal('developer'), content: text }),
    z.looseObject({ ...envelope, role: z.literal('user'), content: text }),
    z.looseObject({
      ...envelope,
      role: z.literal('assistant'),
      content: z.union([z.string(), z.array(typed)]).nullish(),
      tool_calls: z.array(toolCall).max(2000).nullish(),
    }),
    z.looseObject({ ...envelope, role: z.literal('tool'), content: text, tool_call_id: callId }),
  ])
  .meta({
    id: 'OpenAIMessage',
    description:
      "A message of OpenAI's Chat Completions API, documented at https://platform.openai.com/docs/api-reference/chat. `id`, `pinned` and `sent_at` are fields of Spillway; all others are kept as they are.",
  });
