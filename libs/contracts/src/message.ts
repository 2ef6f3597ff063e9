import { z } from 'zod';
import { listOf } from './list.js';
import { thread, threadCompaction } from './thread.js';
import { clientId, maxSeq, timestamp, wholeNumber } from './text.js';

const part = z.looseObject({ type: z.string() });
const text = z.union([z.string(), z.array(part).min(1)]);
const toolCall = z.looseObject({
  id: z.string().min(1).max(4096),
  type: z.string().optional(),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }).optional(),
  custom: z.looseObject({ name: z.string().min(1), input: z.string() }).optional(),
});
const envelope = {
  id: clientId.optional().describe("The client's id of the message: posting it again is free."),
  pinned: z.boolean().optional().describe('Never summarized.'),
};

/** One message in OpenAI chat format. Fields we do not name are kept as they are. */
export const openaiMessage = z
  .discriminatedUnion('role', [
    z.looseObject({ ...envelope, role: z.literal('system'), content: text }),
    z.looseObject({ ...envelope, role: z.literal('developer'), content: text }),
    z.looseObject({ ...envelope, role: z.literal('user'), content: text }),
    z.looseObject({
      ...envelope,
      role: z.literal('assistant'),
      content: text.nullish(),
      tool_calls: z.array(toolCall).max(2000).nullish(),
    }),
    z.looseObject({
      ...envelope,
      role: z.literal('tool'),
      content: text,
      tool_call_id: z.string().min(1).max(4096),
    }),
  ])
  .meta({ id: 'OpenAIMessage' });

export const messageFormat = z.enum(['openai']);

export const messagesAppend = z
  .strictObject({
    messages: z.array(openaiMessage).min(1).max(1000),
    usage: z.strictObject({ input_tokens: z.number().int().min(0).max(1_000_000_000) }).optional(),
  })
  .meta({ id: 'MessagesAppend' });

export const messagesAppendQuery = z.strictObject({ format: messageFormat.optional() });

export const outputRef = z
  .object({
    id: z.string(),
    state: z.enum(['ready', 'expired', 'corrupt']),
    bytes: z.number().int(),
    lines: z.number().int(),
    tokens: z.number().int(),
    content_type: z.string(),
    kind: z.string(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'OutputRef' });

export const message = z
  .object({
    seq: z.number().int(),
    id: z.string().nullable(),
    role: z.string(),
    pinned: z.boolean(),
    tokens: z.number().int().describe('Tokens this message takes in a context.'),
    output: outputRef.nullable(),
    message: z.looseObject({}).describe('What the context holds (the stub when offloaded), or the original.'),
    created_at: timestamp,
  })
  .meta({ id: 'Message' });

export const messagesAppended = z
  .object({
    thread: thread
      .pick({
        id: true,
        last_seq: true,
        live_tokens: true,
        context_window: true,
        trigger_tokens: true,
      })
      .extend({ compaction: threadCompaction }),
    messages: z.array(message.omit({ created_at: true, pinned: true })),
  })
  .meta({ id: 'MessagesAppended' });

export const messageList = listOf(message, 'MessageList');

export const messagesQuery = z.strictObject({
  after: wholeNumber(0, maxSeq).optional(),
  before: wholeNumber(0, maxSeq).optional(),
  limit: wholeNumber(1, 1000).optional(),
  cursor: z.string().max(512).optional(),
  view: z.enum(['original', 'context']).optional(),
});
