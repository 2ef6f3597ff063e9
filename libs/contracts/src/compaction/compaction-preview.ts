import { z } from 'zod';
import { position, ratio, whole } from '../quantities.js';
import { policyInput } from '../policies/policy.js';
import { threadCompaction } from '../threads/thread.js';

export const compactionPreviewRequest = z
  .strictObject({ policy: policyInput.describe("Overrides keys of the thread's policy for this call.") })
  .partial()
  .meta({ id: 'CompactionPreviewRequest' });

const tokens = whole;
const seq = position;

const cut = z.object({
  from_seq: seq.describe('The first message that the summary would stand for.'),
  to_seq: seq.describe('The last message that the summary would stand for.'),
  starts_over: z
    .boolean()
    .describe('The active summary is an extractive fallback, so the range starts at 1 again.'),
  prepared_generation: position
    .nullable()
    .describe(
      'The summary that was made ahead and would be put in place, at its own cut and without a call. Null when one would be made.',
    ),
  carried: z.array(seq).describe('Covered messages that would stay verbatim.'),
  summarized: z
    .object({
      messages: whole.describe('Covered messages that are not carried.'),
      tokens: tokens.describe('Tokens of these messages.'),
    })
    .describe('What the summary would replace.'),
  kept: z
    .object({
      from_seq: seq.nullable().describe('The first of these messages; null when none stays.'),
      messages: whole.describe('How many there are.'),
      turns: whole.describe('Messages of the user among them.'),
    })
    .describe('What would stay after the summary.'),
  tokens_kept: tokens.describe('Tokens of everything in the context beside the summary.'),
  summary_tokens: tokens.describe('Maximum tokens of the summary.'),
  instruction_tokens: tokens.describe(
    'Maximum tokens of the standing instructions at its head and of what may be one, in addition.',
  ),
  tokens_after: tokens.describe(
    'Kept tokens plus a summary and instructions of maximum length: the upper bound.',
  ),
  reclaimed_share: z.number().describe('Share of the trigger, as in min_reclaim_ratio.'),
  min_reclaim_ratio: ratio.describe('Below this an automatic compaction would be skipped.'),
  cleared_results: whole.describe('Older tool results that would become a note.'),
  summarizer: z
    .object({
      provider: z.string().describe('extractive, or the provider of the model.'),
      model: z.string().nullable().describe('Null for the extractive summarizer.'),
      calls: whole.describe('0 for the extractive summarizer.'),
      input_tokens: tokens.describe('Estimated tokens that the model would read.'),
    })
    .describe('Who would write the summary.'),
});

/** What a compaction requested now would do. */
export const compactionPreview = z
  .object({
    result: z
      .enum(['would_compact', 'below_trigger', 'nothing_to_compact'])
      .describe('What a request now would answer.'),
    reason: z
      .enum(['nothing_to_cut', 'too_little_to_reclaim'])
      .nullable()
      .describe('Why nothing would be compacted; null otherwise.'),
    compaction: threadCompaction,
    last_seq: seq.describe('The newest message that was not rewound.'),
    leading_through: seq.describe('System messages the thread starts with, always verbatim.'),
    tokens_before: tokens.describe('Live tokens now.'),
    context_window: tokens.describe('Tokens that the model accepts, input and output together.'),
    limit_tokens: tokens.describe('No context is larger.'),
    trigger_tokens: tokens.describe('Live tokens at which a compaction is due.'),
    prepare_tokens: tokens
      .nullable()
      .describe(
        'From these live tokens on a model writes the next summary ahead (context.prepare_ratio); contexts stay as they are until trigger_tokens. Null when nothing is prepared: code writes the summaries, or they wait for an approval.',
      ),
    cut: cut.nullable().describe('Null when nothing would happen.'),
    policy: z.record(z.string(), z.unknown()).describe('The policy as it applies, all levels merged.'),
  })
  .meta({ id: 'CompactionPreview' });
