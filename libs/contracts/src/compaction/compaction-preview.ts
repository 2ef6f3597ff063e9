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
    .describe("The active summary was made by code in a model's stead, so the range starts at 1 again."),
  carried: z.array(seq).describe('Covered messages that would stay verbatim.'),
  summarized: z.object({ messages: z.number().int(), tokens }),
  kept: z.object({
    from_seq: seq.nullable(),
    messages: z.number().int(),
    turns: z.number().int().describe('Messages of the user among them.'),
  }),
  tokens_kept: tokens.describe('Of all that the context shows beside the summary.'),
  summary_tokens: tokens.describe('The summary may take this many.'),
  instruction_tokens: tokens.describe('The standing instructions at its head may take this many beside it.'),
  tokens_after: tokens.describe(
    'Kept and a summary of full length, its instructions included: what to expect at most.',
  ),
  reclaimed_share: z.number().describe('Of the trigger, as min_reclaim_ratio counts it.'),
  min_reclaim_ratio: z.number().describe('Less than this and a compaction by itself would not be made.'),
  cleared_results: z.number().int().describe('Older tool results that would become a note.'),
  summarizer: z.object({
    provider: z.string(),
    model: z.string().nullable(),
    calls: z.number().int().describe('0 when code makes the summary.'),
    input_tokens: tokens.describe('An estimate, in our tokens, of what the model would read.'),
  }),
});

/** What asking for a compaction would do now. */
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
    cut: cut.nullable().describe('Null when nothing would happen.'),
    policy: z.record(z.string(), z.unknown()).describe('The policy as it applies, all levels merged.'),
  })
  .meta({ id: 'CompactionPreview' });
