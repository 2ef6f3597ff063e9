import { z } from 'zod';
import { listOf, page } from '../list.js';
import { summaryFidelity } from './fidelity.js';
import { policyInput } from '../policies/policy.js';
import { plainText, timestamp } from '../text.js';
import { threadCompaction } from '../threads/thread.js';

export const compactionRequest = z
  .strictObject({ policy: policyInput, wait_ms: z.number().int().min(0).max(120_000) })
  .partial()
  .meta({ id: 'CompactionRequest' });

export const compactionResult = z
  .object({
    result: z.enum(['queued', 'running', 'compacted', 'below_trigger', 'nothing_to_compact']),
    compaction: threadCompaction,
  })
  .meta({ id: 'CompactionResult' });

/** Usage of model calls, as their provider counted it. */
const spending = {
  input_tokens: z
    .number()
    .int()
    .nullable()
    .describe('Over all calls of the attempt; null when no model was asked.'),
  output_tokens: z.number().int().nullable(),
  cached_input_tokens: z
    .number()
    .int()
    .nullable()
    .describe("Of the input tokens, those read from the provider's cache."),
  cost_usd: z.number().nullable().describe('At the prices at that time; null when the model had none.'),
  prompt_version: z
    .string()
    .nullable()
    .describe('Version of the prompt; custom-… for the prompt of a policy.'),
};

export const attempt = z
  .object({
    id: z.string(),
    outcome: z.string().nullable().describe('Null while it runs.'),
    reason: z.string().nullable(),
    trigger: z
      .enum(['automatic', 'ahead', 'manual', 'rebuild'])
      .describe('ahead: before the thread was due, to prepare its next summary.'),
    generation: z.number().int().nullable(),
    from_seq: z.number().int().nullable(),
    to_seq: z.number().int().nullable(),
    method: z.string().nullable(),
    model: z.string().nullable(),
    tokens_before: z.number().int().nullable(),
    tokens_after: z.number().int().nullable(),
    ...spending,
    error: z.string().nullable(),
    started_at: timestamp,
    duration_ms: z.number().int().nullable(),
  })
  .meta({ id: 'CompactionAttempt' });

export const attemptList = listOf(attempt, 'CompactionAttemptList');

export const attemptsQuery = z.strictObject({
  ...page,
  outcome: z
    .enum([
      'compacted',
      'prepared',
      'proposed',
      'unsuccessful',
      'failed',
      'parked',
      'lost',
      'lost_cas',
      'nothing_to_compact',
      'released',
      'running',
    ])
    .optional()
    .describe('unsuccessful: failed, parked or lost.'),
});

export const projectAttemptList = listOf(
  attempt.extend({ thread_id: z.string() }).meta({ id: 'ProjectCompactionAttempt' }),
  'ProjectCompactionAttemptList',
);

export const summaryFields = z
  .record(z.string(), z.string())
  .describe(
    "task_overview, current_state, important_discoveries, next_steps and context_to_preserve; a policy's own schema has its own.",
  )
  .meta({ id: 'SummaryFields' });

const slotTokens = z.object({
  instructions: z.number().int(),
  facts: z.number().int(),
  narrative: z.number().int(),
});

/** How a summary's tokens are divided. */
export const summarySlots = z
  .object({
    max_tokens: z
      .number()
      .int()
      .describe('What a summary of this thread may take now, beside its standing instructions.'),
    budget: slotTokens.describe('By slot. What facts or narrative leave goes to the other.'),
    used: slotTokens,
    free: z.number().int().describe('What facts and narrative leave together.'),
  })
  .meta({ id: 'SummarySlots' });

export const summaryMethod = z
  .enum(['llm', 'extractive', 'caller'])
  .describe('Who wrote it: a model, code that quotes, or a caller.')
  .meta({ id: 'SummaryMethod' });

export const summaryState = z
  .enum(['prepared', 'proposed', 'active', 'replaced', 'undone', 'rewound', 'withdrawn'])
  .describe(
    'prepared: made ahead, no context shows it yet; proposed: the same, and it waits for an approval; active: contexts show it; replaced: a later one does its work; undone: see undone_at; rewound: it covers messages that were rewound; withdrawn: see withdrawn_at.',
  )
  .meta({ id: 'SummaryState' });

export const summary = z
  .object({
    generation: z.number().int(),
    chain: z.number().int(),
    from_seq: z.number().int(),
    to_seq: z.number().int(),
    as_of_seq: z.number().int().describe('The newest seq when it was made.'),
    carried: z.array(z.number().int()).describe('Covered messages that stay verbatim in the context.'),
    kept: z.array(z.number().int()).describe('Messages that callers keep beside it.'),
    whole: z.array(z.number().int()).describe('Of these, the ones shown with their whole outputs.'),
    released: z.array(z.number().int()).describe('Messages whose tool results are one line.'),
    fields: summaryFields,
    facts: z.string().describe('Made by code: values that the thread says, with their seqs, in lines.'),
    text: z.string().describe('What the model sees.'),
    tokens: z.number().int(),
    fidelity: summaryFidelity
      .nullish()
      .describe(
        'Where one summary or a list of them is read. Null for one made before it was measured, or whose text was erased.',
      ),
    slots: summarySlots.optional().describe('Where one summary or a list of them is read.'),
    tokens_before: z.number().int(),
    tokens_after: z.number().int(),
    method: summaryMethod,
    model: z.string().nullable(),
    author: z
      .string()
      .nullable()
      .describe('Name of the key of the caller that wrote it; null for one that a compaction made.'),
    ...spending,
    restored_from: z.number().int().nullable(),
    withdrawn_at: timestamp
      .nullable()
      .describe('Quarantined, or made from text that was erased: no context shows it.'),
    undone_at: timestamp.nullable().describe('Undone: what it replaced became active again.'),
    created_at: timestamp,
    active: z.boolean(),
    state: summaryState,
  })
  .meta({ id: 'Summary' });

/** A restored summary, whose caller may not be allowed to read its text. */
export const restoredSummary = summary
  .partial({ fields: true, facts: true, text: true })
  .meta({ id: 'RestoredSummary' });

const maxFieldChars = 200_000;
/** A caller's own summary. */
export const writtenSummary = z
  .strictObject({
    fields: z
      .record(plainText(200), plainText(maxFieldChars))
      .refine((fields) => Object.keys(fields).length <= 100, 'has more than 100 fields')
      .describe(
        "task_overview, current_state, important_discoveries, next_steps and context_to_preserve; a policy's own schema has its own.",
      ),
    to_seq: z
      .number()
      .int()
      .min(1)
      .max(2_147_483_647)
      .describe('It stands for messages 1 to this one. Not between a call and its result.'),
    expected_generation: z
      .number()
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe('The active generation that it replaces, 0 for none: another one is 409. Any when left out.'),
  })
  .meta({ id: 'WrittenSummary' });

export const undoneSummary = z
  .object({
    undone: z.number().int().describe('The undone generation.'),
    restored_from: z
      .number()
      .int()
      .describe('The generation whose content is active again; 0 when the original messages are.'),
    compaction: threadCompaction,
  })
  .meta({ id: 'UndoneSummary' });

export const decidedSummary = z
  .object({ generation: z.number().int(), compaction: threadCompaction })
  .meta({ id: 'DecidedSummary' });

export const summaryList = listOf(summary, 'SummaryList');

export const dueThread = z
  .object({
    thread_id: z.string(),
    live_tokens: z.number().int(),
    trigger_tokens: z.number().int(),
    requested_at: timestamp.nullable(),
    waited_ms: z.number().int().nullable().describe('How long it has been due.'),
    trigger: z.enum(['automatic', 'manual', 'rebuild']),
    compaction: threadCompaction,
    last_error: plainText(10_000).nullable(),
  })
  .meta({ id: 'DueThread' });

export const queueQuery = z.strictObject({
  limit: page.limit,
  state: z.enum(['due', 'running', 'backoff', 'parked']).optional(),
  reason: plainText(100).optional().describe('Why it is parked.'),
});

export const queueRetry = z
  .strictObject({
    state: z.enum(['parked', 'backoff']),
    reason: plainText(100).optional().describe('Of parked threads, only those parked for this reason.'),
  })
  .meta({ id: 'QueueRetry' });

export const queueRetried = z
  .object({
    retried: z.number().int(),
    more: z.boolean().describe('True when there are more: a request retries at most 1,000.'),
  })
  .meta({ id: 'QueueRetried' });

export const queue = z
  .object({
    counts: z.object({
      due: z.number().int(),
      running: z.number().int(),
      backoff: z.number().int(),
      parked: z.number().int(),
    }),
    oldest_due_ms: z.number().int().nullable(),
    parked_by_reason: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    threads: z.array(dueThread),
    sweeps: z.array(
      z.object({
        started_at: timestamp,
        duration_ms: z.number().int(),
        expired: z.number().int(),
        over_budget: z.number().int(),
        deleted: z.number().int(),
        bytes_freed: z.number().int(),
        orphans: z.number().int().describe('Removed blobs without a row.'),
        refused: z.string().nullable().describe('Why storage was not swept.'),
        failed: z
          .number()
          .int()
          .describe('Blobs and folders that could not be removed; each is retried later.'),
        error: z.string().nullable().describe('Why the first of them could not be removed.'),
      }),
    ),
  })
  .meta({ id: 'Queue' });
