import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { messageFormat } from '../formats/message-format.js';
import { policyInput } from '../policies/policy.js';
import { forkedFrom } from './fork.js';
import { clientId, plainText, systemPrompt, timestamp } from '../text.js';

const metadata = z
  .record(plainText(64), plainText(512))
  .refine((m) => Object.keys(m).length <= 64, 'must have at most 64 keys')
  .describe('Text of your own, to find threads by: at most 64 keys.');

const settings = {
  model: plainText(200)
    .nullable()
    .describe(
      'The model that the thread is for. Its name decides the context window, unless the policy sets one. Null: unknown.',
    ),
  metadata,
  policy: policyInput.describe(
    'Keys that this thread sets; others are inherited from the project and the server.',
  ),
  system: systemPrompt.nullable().describe('System prompt, sent beside the messages and counted.'),
  tools: z
    .array(z.record(z.string(), z.unknown()))
    .max(1000)
    .nullable()
    .describe("Schemas of the agent's tools, in the provider's form: sent beside the messages, so counted."),
  format: messageFormat
    .nullable()
    .describe('The format of messages that are posted and read without one. Null: openai.'),
};

export const threadCreate = z
  .strictObject({
    id: clientId.describe('Chosen by you, unique in the project. Default: a UUID of version 7.'),
    ...settings,
  })
  .partial()
  .meta({ id: 'ThreadCreate' });
/** Of an upsert: settings that are left out stay as they are, or get their defaults. */
export const threadPut = z.strictObject(settings).partial().meta({ id: 'ThreadPut' });
export const threadPatch = z.strictObject(settings).partial().meta({ id: 'ThreadPatch' });

export const compactionStateName = z.enum(['idle', 'due', 'running', 'backoff', 'parked']);

export const fixedContent = z
  .object({
    fixed_tokens: whole.describe(
      'What a context needs at least: system prompt, tools, pinned messages, newest turn.',
    ),
    limit_tokens: whole.describe('No context is larger.'),
    trigger_tokens: whole.describe('Live tokens at which a compaction is due.'),
    serves_context: z.boolean().describe('False: GET context answers 422.'),
    smallest_window: whole
      .nullable()
      .describe('The smallest context_window under which the thread is no longer stuck; null when none is.'),
  })
  .meta({ id: 'FixedContent' });

export const threadCompaction = z
  .object({
    state: compactionStateName.describe(
      'idle: nothing to do; due: waits for a worker; running; backoff: failed, and is retried; parked: not retried without a change by a person.',
    ),
    reason: z.string().optional().describe('Why the thread is parked or backing off.'),
    error: z.string().optional().describe('What the last attempt ran into.'),
    detail: fixedContent.optional().describe('Of one thread that is parked as irreducible: why.'),
    attempt: whole.describe('Attempts since the last success; 0 when none failed.'),
    generation: position.describe('The active summary; 0 when there is none.'),
    covered_through: position.describe('The last seq the active summary stands for.'),
    prepared: z
      .object({
        generation: position.describe('The prepared generation.'),
        state: z.enum(['prepared', 'proposed']).describe('proposed: it waits for an approval.'),
      })
      .optional()
      .describe('A summary that was made and is not in place yet: contexts stay as they are.'),
    next_attempt_at: timestamp.optional().describe('When a thread that backs off is tried again.'),
    due_since: timestamp
      .optional()
      .describe('Of one thread that is due: since when a worker could have claimed it.'),
  })
  .meta({
    id: 'ThreadCompaction',
    description: 'What the compaction of the thread does now, and what its active summary covers.',
  });

/** What is legal and probably unintended. */
export const threadWarning = z
  .object({
    code: z
      .enum(['unknown_model', 'no_model', 'summaries_off'])
      .describe(
        'unknown_model: the registry does not know the model; no_model: the thread has none; summaries_off: it has more tokens than a context may have, and no summary is made.',
      ),
    detail: z.string().describe('The same in a sentence.'),
  })
  .meta({
    id: 'ThreadWarning',
    description: 'A setting of the thread that is legal and probably unintended.',
  });

const warnings = z
  .array(threadWarning)
  .describe(
    'What is legal and probably unintended, such as a context window that follows from an unknown model.',
  );

export const thread = z
  .object({
    id: z.string().describe('Unique in the project.'),
    model: z.string().nullable().describe('The model that the thread is for; null when none is set.'),
    system: z.string().nullable().optional().describe('Left out for a key without the scope context:read.'),
    tools: z
      .array(z.record(z.string(), z.unknown()))
      .nullable()
      .optional()
      .describe('Left out for a key without the scope context:read.'),
    format: messageFormat
      .nullable()
      .describe('The format of messages that are posted and read without one. Null: openai.'),
    warnings: warnings.optional().describe('Of one thread; left out in lists.'),
    calibration: z
      .number()
      .gt(0)
      .describe("The provider's tokens for one of ours: the limit in force goes by it."),
    measured_ratio: z
      .number()
      .gt(0)
      .describe('The same as the usage that callers post says since; the next compaction adopts it.'),
    metadata: z.record(z.string(), z.string()).describe("Text of the client's own, by key."),
    policy: policyInput.describe('The keys that the thread itself sets.'),
    last_seq: position.describe('The newest message that was not rewound; 0 for none. If-Match takes it.'),
    recorded_seq: position.describe(
      'The newest message that is recorded, rewound or not; 0 for none. Lists of messages end with it.',
    ),
    live_tokens: whole.describe(
      'Tokens of the context as it stands: system, summary, recent messages, and the most that a request brought beside them, such as tools. A message counts as half of the limit at most. What a context puts between messages, such as `Noted.`, is in the tokens of the context alone.',
    ),
    total_tokens: whole.describe('Tokens of every message that was not rewound, outputs counted in full.'),
    saved_tokens: whole.describe(
      'What summaries and stubs keep out of the context: total_tokens - live_tokens, at least 0, and 0 without a summary and outputs. Of a message larger than half of the limit that stands beside a summary or a stub, what is above half is in it too.',
    ),
    context_window: whole.describe('Tokens that the model accepts, input and output together.'),
    limit_tokens: whole.describe(
      'No context is larger: the window less the reserve for the response, calibrated.',
    ),
    trigger_tokens: whole.describe('Live tokens at which a compaction is due.'),
    output_count: whole.describe('Outputs that were offloaded from its messages.'),
    compaction: threadCompaction,
    forked_from: forkedFrom,
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it last changed.'),
  })
  .meta({ id: 'Thread' });
