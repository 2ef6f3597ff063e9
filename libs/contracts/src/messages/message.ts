import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { aiSdkMessage } from '../formats/ai-sdk.js';
import { anthropicMessage } from '../formats/anthropic.js';
import { openaiMessage } from '../formats/openai.js';
import { responsesItem } from '../formats/responses.js';
import { messageFormat } from '../formats/message-format.js';
import { listOf } from '../list.js';
import { outputKindNames } from '../outputs/output-kinds.js';
import { thread, threadCompaction, threadWarning } from '../threads/thread.js';
import { maxSeq, plainText, timestamp, trueOrFalse, wholeNumber } from '../text.js';
import { problem } from '../problem.js';
import { context } from './context.js';
import { nextContextOptions } from './context-options.js';

/** The formats of messages, by the value of `format`. */
export const messageFormats = {
  openai: openaiMessage,
  responses: responsesItem,
  anthropic: anthropicMessage,
  'ai-sdk': aiSdkMessage,
} as const;

/** In any form: unknown usage is ignored, since it must never fail an append. */
const usage = {
  usage: z
    .unknown()
    .optional()
    .describe(
      'The usage of the model call that these messages answer, as the provider gave it: OpenAI chat or Responses, ' +
        'Anthropic, AI SDK, or `{input_tokens}`. Calibrates our counts. What is not understood is ignored.',
    ),
  fingerprint: plainText(200)
    .nullish()
    .describe(
      'The `fingerprint` of the context that the model was called with. Left out: the context that was served for ' +
        'the message before these.',
    ),
};

const appendOf = (message: z.ZodType) =>
  z.strictObject({
    messages: z.array(message).min(1).max(1000).describe('In order, of one format.'),
    ...usage,
  });

/** Posted messages, by format. */
export const messagesAppendIn = {
  openai: appendOf(messageFormats.openai),
  responses: appendOf(messageFormats.responses),
  anthropic: appendOf(messageFormats.anthropic),
  'ai-sdk': appendOf(messageFormats['ai-sdk']),
} as const;

/** A posted body of any format; the contract of the format applies to its messages. */
export interface PostedMessages {
  messages: { id?: string | null; pinned?: boolean; sent_at?: string; [key: string]: unknown }[];
  usage?: unknown;
  fingerprint?: string | null;
}

export const messagesAppend = z
  .strictObject({
    messages: z
      .array(z.union(Object.values(messageFormats)))
      .min(1)
      .max(1000)
      .describe('In order, all of the format that the query or the thread names.'),
    ...usage,
  })
  .meta({ id: 'MessagesAppend' });

export const messagesAppendQuery = z
  .strictObject({
    format: messageFormat
      .optional()
      .describe("The format of the messages and of the context. Default: the thread's, or openai."),
    context: trueOrFalse
      .optional()
      .describe('true: the answer has the next context too. Needs the scope context:read.'),
    ...nextContextOptions,
  })
  .refine(
    ({ context, ...options }) =>
      context === true ||
      Object.keys(nextContextOptions).every((key) => options[key as keyof typeof options] === undefined),
    { path: ['context'], message: 'must be true when options of the context are set' },
  );

export const ifLastSeq = z
  .string()
  .regex(/^\s*"?(0|[1-9]\d{0,9})"?\s*$/, 'must be the last_seq of the thread, as a whole number')
  .transform((seq) => Number(seq.replaceAll('"', '')))
  .pipe(z.number().int().max(maxSeq))
  .optional();

export const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9._:@-]{1,190}$/, 'must be 1-190 characters of A-Z a-z 0-9 . _ : - @')
  .optional();

/** What a writer may say about the thread that it appends to. */
export const messagesAppendHeaders = z.object({
  'if-match': ifLastSeq.describe(
    'The last_seq that you know; 0 for a new thread. Another one: 412, nothing is recorded.',
  ),
  'idempotency-key': idempotencyKey.describe(
    'Makes retries safe: messages without an id get the ids `<key>:0`, `<key>:1` ... by their index. The same key ' +
      'with other content: 409.',
  ),
});

export const outputRef = z
  .object({
    id: z.string().describe('As in its stub.'),
    state: z
      .enum(['ready', 'expired', 'corrupt'])
      .describe('ready: can be read; expired: removed; corrupt: the bytes do not match their checksum.'),
    bytes: whole.describe('Size as posted.'),
    lines: whole.describe('Number of lines.'),
    tokens: whole.describe('Tokens of the whole output.'),
    content_type: z.string().describe('Media type, by what it holds.'),
    kind: z.string().describe(`What it holds: ${outputKindNames}.`),
    expires_at: timestamp.nullable().describe('When a sweep removes it; null when it is pinned or gone.'),
  })
  .meta({ id: 'OutputRef', description: 'An offloaded output of a message.' });

export const messageHold = z.enum(['keep', 'whole', 'release']);

export const message = z
  .object({
    seq: position.describe('Its place in the thread, from 1.'),
    id: z.string().nullable().describe("The client's id; null when it was posted without one."),
    role: z.string().describe('system, developer, user, assistant or tool.'),
    pinned: z.boolean().describe('In every context, and in no summary.'),
    tokens: whole.describe('Tokens this message takes in a context.'),
    format: messageFormat.describe('The format of `message`.'),
    output: outputRef.nullable().describe('The first of its outputs, when content was offloaded.'),
    outputs: z.array(outputRef).describe('One for each tool result whose content was offloaded.'),
    message: z
      .looseObject({})
      .describe('The content in the context (the stub when offloaded), or the original.'),
    created_at: timestamp.describe('When it was recorded.'),
    sent_at: timestamp
      .nullable()
      .describe('When it was written where it comes from; null when it was posted without one.'),
    hold: messageHold
      .nullable()
      .describe('What the next fold does: keep the message, keep it with its whole outputs, or release it.'),
    erased_at: timestamp.nullable().describe('When its content was erased; its seq and role stay.'),
    rewound_before: position
      .nullable()
      .describe('Set when it was rewound: contexts from this seq on are without it.'),
  })
  .meta({ id: 'Message', description: 'A recorded message, with what Spillway knows about it.' });

export const usageOutcome = z
  .object({
    applied: z.boolean().describe('The measurement was taken into account.'),
    reason: z
      .enum([
        'not_understood',
        'no_served_context',
        'context_too_small',
        'implausible',
        'replayed',
        'unavailable',
      ])
      .optional()
      .describe('Why it was ignored.'),
  })
  .meta({ id: 'UsageOutcome' });

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
      .extend({
        compaction: threadCompaction,
        warnings: z.array(threadWarning).describe('What is legal and probably unintended.'),
      })
      .describe('The thread after this request.'),
    usage: usageOutcome
      .nullable()
      .describe('Whether the posted usage was used for the calibration; null when none was posted.'),
    messages: z
      .array(
        message.omit({
          created_at: true,
          sent_at: true,
          pinned: true,
          hold: true,
          erased_at: true,
          rewound_before: true,
        }),
      )
      .describe('One for each posted message, in order, as the context holds them.'),
    context: context
      .nullable()
      .optional()
      .describe('With context=true: the context for the next model call; null when there is none to serve.'),
    context_problem: problem
      .optional()
      .describe('Why there is no context. The messages are recorded all the same.'),
  })
  .meta({ id: 'MessagesAppended' });

export const messageChange = z
  .strictObject({ pinned: z.boolean().describe('Pinned messages are in every context and in no summary.') })
  .meta({ id: 'MessageChange' });

export const messageChanged = z
  .object({
    seq: position.describe('The changed message.'),
    pinned: z.boolean().describe('In every context, and in no summary.'),
    compaction: threadCompaction,
  })
  .meta({ id: 'MessageChanged' });

export const holdRange = z
  .strictObject({
    from_seq: z.number().int().min(1).max(maxSeq).describe('The first message.'),
    to_seq: z.number().int().min(1).max(maxSeq).describe('The last message, at most 199 after from_seq.'),
  })
  .refine(({ from_seq, to_seq }) => from_seq <= to_seq && to_seq - from_seq < 200, {
    path: ['to_seq'],
    message: 'must be from from_seq to from_seq + 199',
  })
  .meta({ id: 'HoldRange' });

/** What was asked for with the next fold. */
export const held = z
  .object({
    hold: messageHold.describe('What the next fold does with them.'),
    seqs: z.array(position).describe('The held messages; a kept call with its results.'),
    kept_tokens: whole.describe('What all kept messages of the thread take.'),
    max_kept_tokens: whole.describe('What they may take together.'),
    compaction: threadCompaction,
  })
  .meta({ id: 'Held' });

export const messageList = listOf(message, 'MessageList');

export const messageQuery = z.strictObject({
  around: wholeNumber(0, 20).optional().describe('How many messages before and after it. Default: 0.'),
  view: z
    .enum(['original', 'context'])
    .optional()
    .describe('original (the default): as posted, with offloaded outputs; context: as contexts show it.'),
});

export const messageWithNeighbours = z
  .object({
    seq: position.describe('The message that was asked for.'),
    data: z
      .array(message)
      .describe(
        'This message and its neighbours, by seq. Neighbours beyond 1 MiB in all are left out, the farthest first.',
      ),
  })
  .meta({ id: 'MessageWithNeighbours' });

export const messagesQuery = z.strictObject({
  after: wholeNumber(0, maxSeq).optional().describe('Messages after this seq. Default: 0.'),
  before: wholeNumber(0, maxSeq).optional().describe('Messages before this seq.'),
  limit: wholeNumber(1, 1000).optional().describe('Messages of a page at most. Default: 100.'),
  cursor: z.string().max(512).optional().describe('`next_cursor` of the page before.'),
  view: z
    .enum(['original', 'context'])
    .optional()
    .describe('original (the default): as posted, with offloaded outputs; context: as contexts show them.'),
  media: z
    .enum(['included', 'marked'])
    .optional()
    .describe('marked: base64 data are not read; a marker replaces them.'),
});
