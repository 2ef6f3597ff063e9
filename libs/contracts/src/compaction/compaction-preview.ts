import { z } from 'zod';
import { policyInput } from '../policies/policy.js';
import { threadCompaction } from '../threads/thread.js';

export const compactionPreviewRequest = z
  .strictObject({ policy: policyInput })
  .partial()
  .meta({ id: 'CompactionPreviewRequest' });

const tokens = z.number().int();
const seq = z.number().int();

const cut = z.object({
  from_seq: seq,
  to_seq: seq,
  starts_over: z
    .boolean()
    .describe('The active summary is an extractive fallback, so the range starts at 1 again.'),
  prepared_generation: z
    .number()
    .int()
    .nullable()
    .describe(
      'The summary that was made ahead and would be put in place, at its own cut and without a call. Null when one would be made.',
    ),
  carried: z.array(seq).describe('Covered messages that would stay verbatim.'),
  summarized: z.object({ messages: z.number().int(), tokens }),
  kept: z.object({
    from_seq: seq.nullable(),
    messages: z.number().int(),
    turns: z.number().int().describe('Messages of the user among them.'),
  }),
  tokens_kept: tokens.describe('Tokens of everything in the context beside the summary.'),
  summary_tokens: tokens.describe('Maximum tokens of the summary.'),
  instruction_tokens: tokens.describe(
    'Maximum tokens of the standing instructions at its head, in addition.',
  ),
  tokens_after: tokens.describe(
    'Kept tokens plus a summary and instructions of maximum length: the upper bound.',
  ),
  reclaimed_share: z.number().describe('Share of the trigger, as in min_reclaim_ratio.'),
  min_reclaim_ratio: z.number().describe('Below this an automatic compaction would be skipped.'),
  cleared_results: z.number().int().describe('Older tool results that would become a note.'),
  summarizer: z.object({
    provider: z.string(),
    model: z.string().nullable(),
    calls: z.number().int().describe('0 for the extractive summarizer.'),
    input_tokens: tokens.describe('Estimated tokens that the model would read.'),
  }),
});

/** What a compaction requested now would do. */
export const compactionPreview = z
  .object({
    result: z.enum(['would_compact', 'below_trigger', 'nothing_to_compact']),
    reason: z.enum(['nothing_to_cut', 'too_little_to_reclaim']).nullable(),
    compaction: threadCompaction,
    last_seq: seq,
    leading_through: seq.describe('System messages the thread starts with, always verbatim.'),
    tokens_before: tokens,
    context_window: tokens,
    limit_tokens: tokens,
    trigger_tokens: tokens,
    prepare_tokens: tokens
      .nullable()
      .describe(
        'From these live tokens on a model writes the next summary ahead (context.prepare_ratio); contexts stay as they are until trigger_tokens. Null when nothing is prepared: code writes the summaries, or they wait for an approval.',
      ),
    cut: cut.nullable().describe('Null when nothing would happen.'),
    policy: z.record(z.string(), z.unknown()).describe('The policy as it applies, all levels merged.'),
  })
  .meta({ id: 'CompactionPreview' });
