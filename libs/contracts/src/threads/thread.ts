import { z } from 'zod';
import { messageFormat } from '../formats/message-format.js';
import { policyInput } from '../policies/policy.js';
import { clientId, plainText, systemPrompt, timestamp } from '../text.js';

const metadata = z
  .record(plainText(64), plainText(512))
  .refine((m) => Object.keys(m).length <= 64, 'must have at most 64 keys');

const settings = {
  model: plainText(200).nullable(),
  metadata,
  policy: policyInput,
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
  .strictObject({ id: clientId, ...settings })
  .partial()
  .meta({ id: 'ThreadCreate' });
/** Of an upsert: settings that are left out stay as they are, or get their defaults. */
export const threadPut = z.strictObject(settings).partial().meta({ id: 'ThreadPut' });
export const threadPatch = z.strictObject(settings).partial().meta({ id: 'ThreadPatch' });

export const compactionStateName = z.enum(['idle', 'due', 'running', 'backoff', 'parked']);

export const fixedContent = z
  .object({
    fixed_tokens: z
      .number()
      .int()
      .describe('What a context needs at least: system prompt, tools, pinned messages, newest turn.'),
    limit_tokens: z.number().int(),
    trigger_tokens: z.number().int(),
    serves_context: z.boolean().describe('False: GET context answers 422.'),
    smallest_window: z
      .number()
      .int()
      .nullable()
      .describe('The smallest context_window under which the thread is no longer stuck; null when none is.'),
  })
  .meta({ id: 'FixedContent' });

export const threadCompaction = z
  .object({
    state: compactionStateName,
    reason: z.string().optional().describe('Why the thread is parked or backing off.'),
    error: z.string().optional().describe('What the last attempt ran into.'),
    detail: fixedContent.optional().describe('Of one thread that is parked as irreducible: why.'),
    attempt: z.number().int(),
    generation: z.number().int().describe('The active summary; 0 when there is none.'),
    covered_through: z.number().int().describe('The last seq the active summary stands for.'),
    prepared: z
      .object({ generation: z.number().int(), state: z.enum(['prepared', 'proposed']) })
      .optional()
      .describe('A summary that was made and is not in place yet: contexts stay as they are.'),
    next_attempt_at: timestamp.optional(),
  })
  .meta({ id: 'ThreadCompaction' });

/** What is legal and probably unintended. */
export const threadWarning = z
  .object({ code: z.enum(['unknown_model', 'no_model']), detail: z.string() })
  .meta({ id: 'ThreadWarning' });

const warnings = z
  .array(threadWarning)
  .describe(
    'What is legal and probably unintended, such as a context window that follows from an unknown model.',
  );

export const thread = z
  .object({
    id: z.string(),
    model: z.string().nullable(),
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
    calibration: z.number().describe("The provider's tokens for one of ours: the limit in force goes by it."),
    measured_ratio: z
      .number()
      .describe('The same as the usage that callers post says since; the next compaction adopts it.'),
    metadata: z.record(z.string(), z.string()),
    policy: policyInput,
    last_seq: z
      .number()
      .int()
      .describe('The newest message that was not rewound; 0 for none. If-Match takes it.'),
    recorded_seq: z
      .number()
      .int()
      .describe(
        'The newest message that is recorded, rewound or not; 0 for none. Lists of messages end with it.',
      ),
    live_tokens: z
      .number()
      .int()
      .describe('Tokens of the context as it stands: system, summary, recent messages.'),
    total_tokens: z
      .number()
      .int()
      .describe('Tokens of every message that was not rewound, outputs counted in full.'),
    saved_tokens: z
      .number()
      .int()
      .describe('total_tokens - live_tokens, at least 0: what summaries and stubs keep out of the context.'),
    context_window: z.number().int(),
    limit_tokens: z.number().int(),
    trigger_tokens: z.number().int(),
    output_count: z.number().int(),
    compaction: threadCompaction,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Thread' });
