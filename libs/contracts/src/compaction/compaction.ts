import { z } from 'zod';
import { position, usd, whole } from '../quantities.js';
import { listOf, page } from '../list.js';
import { summaryFidelity } from './fidelity.js';
import { policyInput } from '../policies/policy.js';
import { plainText, timestamp } from '../text.js';
import { threadCompaction } from '../threads/thread.js';

export const compactionRequest = z
  .strictObject({
    policy: policyInput.describe("Overrides keys of the thread's policy for this call."),
    wait_ms: z
      .number()
      .int()
      .min(0)
      .max(120_000)
      .describe('Milliseconds to wait for the outcome. Default: 0.'),
  })
  .partial()
  .meta({ id: 'CompactionRequest' });

export const compactionResult = z
  .object({
    result: z
      .enum(['queued', 'paused', 'running', 'compacted', 'below_trigger', 'nothing_to_compact'])
      .describe(
        'queued and running: not done yet; paused: recorded, and carried out when the operator ends the pause of compaction, which `wait_ms` does not wait for; compacted: a new summary is in place; below_trigger and nothing_to_compact: nothing changed.',
      ),
    compaction: threadCompaction,
  })
  .meta({ id: 'CompactionResult' });

/** Usage of model calls, as their provider counted it. */
const spending = {
  input_tokens: whole.nullable().describe('Over all calls of the attempt; null when no model was asked.'),
  output_tokens: whole.nullable().describe('Over all calls of the attempt; null when no model was asked.'),
  cached_input_tokens: whole
    .nullable()
    .describe("Of the input tokens, those read from the provider's cache."),
  cost_usd: usd.nullable().describe('At the prices at that time; null when the model had none.'),
  prompt_version: z
    .string()
    .nullable()
    .describe('Version of the prompt; custom-… for the prompt of a policy.'),
};

export const attempt = z
  .object({
    id: z.string().describe('Unique in the service.'),
    outcome: z.string().nullable().describe('Null while it runs.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why it failed, parked or did nothing; when code made its summary because the model failed, why the model did. Null otherwise.',
      ),
    trigger: z
      .enum(['automatic', 'ahead', 'manual', 'rebuild'])
      .describe('ahead: before the thread was due, to prepare its next summary.'),
    generation: position.nullable().describe('The generation that it made; null when it made none.'),
    from_seq: position
      .nullable()
      .describe('The first summarized message; null when it ended before its plan.'),
    to_seq: position.nullable().describe('The last summarized message; null when it ended before its plan.'),
    method: z
      .string()
      .nullable()
      .describe(
        'llm or extractive, caller for a caller’s own that stayed; null before a summary was written.',
      ),
    model: z.string().nullable().describe('The model that wrote the summary; null for none.'),
    tokens_before: whole.nullable().describe('Live tokens when it began.'),
    tokens_after: whole.nullable().describe('Live tokens after it; null unless it made a summary.'),
    ...spending,
    error: z.string().nullable().describe('The error in a sentence; null without one.'),
    trace_id: z
      .string()
      .nullable()
      .describe('Its OpenTelemetry trace, 32 hex digits; null when it was not traced.'),
    started_at: timestamp.describe('When a worker claimed the thread.'),
    duration_ms: whole.nullable().describe('Null while it runs.'),
  })
  .meta({ id: 'CompactionAttempt', description: 'One try of a compaction by one worker.' });

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
  attempt
    .extend({ thread_id: z.string().describe('The thread.') })
    .meta({ id: 'ProjectCompactionAttempt', description: 'One try of a compaction, with its thread.' }),
  'ProjectCompactionAttemptList',
);

export const summaryFields = z
  .record(z.string(), z.string())
  .describe(
    "task_overview, current_state, important_discoveries, next_steps and context_to_preserve; a policy's own schema has its own.",
  )
  .meta({ id: 'SummaryFields' });

const slotTokens = z.object({
  instructions: whole.describe('Tokens of the standing instructions.'),
  facts: whole.describe('Tokens of the facts.'),
  narrative: whole.describe('Tokens of the fields.'),
});

/** How a summary's tokens are divided. */
export const summarySlots = z
  .object({
    max_tokens: whole.describe(
      'What a summary of this thread may take now, beside its standing instructions.',
    ),
    budget: slotTokens.describe('By slot. What facts or narrative leave goes to the other.'),
    used: slotTokens.describe('What this summary takes of each.'),
    free: whole.describe('What facts and narrative leave together.'),
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
    generation: position.describe('Its number in the thread, from 1.'),
    chain: position.describe(
      'Number of the chain; in one chain each generation goes on where the one before ended.',
    ),
    from_seq: position.describe('The first message of this fold.'),
    to_seq: position.describe('The last message that it stands for.'),
    as_of_seq: position.describe('The newest seq when it was made.'),
    carried: z.array(position).describe('Covered messages that stay verbatim in the context.'),
    kept: z.array(position).describe('Messages that callers keep beside it.'),
    whole: z.array(position).describe('Of these, the ones shown with their whole outputs.'),
    released: z.array(position).describe('Messages whose tool results are one line.'),
    fields: summaryFields,
    facts: z.string().describe('Made by code: values that the thread says, with their seqs, in lines.'),
    text: z.string().describe('What the model sees.'),
    tokens: whole.describe('Tokens of the summary in a context.'),
    fidelity: summaryFidelity
      .nullish()
      .describe(
        'Where one summary or a list of them is read. Null for one made before it was measured, or whose text was erased.',
      ),
    slots: summarySlots.optional().describe('Where one summary or a list of them is read.'),
    tokens_before: whole.describe('Live tokens before it was put in place.'),
    tokens_after: whole.describe('Live tokens after it was put in place.'),
    method: summaryMethod,
    model: z.string().nullable().describe('The model that wrote it; null for none.'),
    author: z
      .string()
      .nullable()
      .describe('Name of the key of the caller that wrote it; null for one that a compaction made.'),
    ...spending,
    restored_from: position
      .nullable()
      .describe(
        'The generation whose text it is, or the caller’s own summary that it was made from anew; null when its text is its own.',
      ),
    withdrawn_at: timestamp
      .nullable()
      .describe('Quarantined, or made from text that was erased: no context shows it.'),
    undone_at: timestamp.nullable().describe('Undone: what it replaced became active again.'),
    created_at: timestamp.describe('When it was made.'),
    active: z.boolean().describe('Contexts show it now.'),
    state: summaryState,
  })
  .meta({ id: 'Summary', description: "One generation of a thread's summary." });

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
    undone: position.describe('The undone generation.'),
    restored_from: position.describe(
      'The generation whose content is active again; 0 when the original messages are.',
    ),
    compaction: threadCompaction,
  })
  .meta({ id: 'UndoneSummary' });

export const decidedSummary = z
  .object({
    generation: position.describe('The generation that was decided on.'),
    compaction: threadCompaction,
  })
  .meta({ id: 'DecidedSummary' });

export const summaryList = listOf(summary, 'SummaryList');
