import { z } from 'zod';
import { whole } from '../quantities.js';
import { listOf, page } from '../list.js';
import { clientId, maxSeq, plainText, share, time, trueOrFalse, wholeNumber } from '../text.js';
import { compactionStateName, thread } from './thread.js';

/** A listed thread. A page of full threads could have gigabytes: a system prompt may have two megabytes. */
export const threadListed = thread
  .omit({ system: true, tools: true })
  .extend({ summary_tokens: whole.describe('Tokens of the active summary; 0 without one.') })
  .meta({ id: 'ThreadListed', description: 'A thread without its system prompt and tools.' });

export const threadList = listOf(threadListed, 'ThreadList');

/** Filter for threads; conditions are combined with AND. */
export const threadConditions = {
  state: z
    .string()
    .max(200)
    .transform((list) => [...new Set(list.split(','))])
    .pipe(z.array(compactionStateName))
    .optional()
    .describe('One state, or several with commas between them.'),
  model: plainText(200).optional().describe('Only threads with exactly this model.'),
  q: plainText(200)
    .optional()
    .describe('Part of the id, or of a value of the metadata; case does not matter.'),
  has_errors: trueOrFalse.optional().describe('Parked, backing off, or the last compaction failed.'),
  fill_min: share.optional().describe('Live tokens as a share of limit_tokens, from here on: 0.8 is 80 %.'),
  min_messages: wholeNumber(0, maxSeq).optional().describe('Threads with at least this many messages.'),
  min_tokens: wholeNumber(0, maxSeq).optional().describe('Live tokens, from here on.'),
  created_after: time.optional().describe('Threads created at this time or later.'),
  created_before: time.optional().describe('Threads created before this time.'),
  updated_after: time.optional().describe('Threads changed at this time or later.'),
  updated_before: time.optional().describe('Threads changed before this time.'),
  compacted_after: time.optional().describe('Threads with a summary made since then.'),
  metadata: plainText(600)
    .regex(/^[^=]{1,64}=/, 'must be key=value')
    .transform((pair) => {
      const at = pair.indexOf('=');
      return { key: pair.slice(0, at), value: pair.slice(at + 1) };
    })
    .optional()
    .describe('A key of the metadata and its whole value: user=42.'),
  forked_from: clientId.optional().describe('Only forks of this thread.'),
};

export const threadQuery = z.strictObject({
  ...page,
  ...threadConditions,
  sort: z
    .enum(['updated', 'created', 'tokens', 'messages', 'id', 'fill'])
    .optional()
    .describe('What threads are ordered by. Default: updated. fill: live tokens as a share of limit_tokens.'),
  direction: z.enum(['asc', 'desc']).optional().describe('asc by default for id, desc for all others.'),
});

export const threadCountsQuery = z.strictObject(threadConditions);

const counted = whole;

export const threadCounts = z
  .object({
    total: counted.describe('Threads that match.'),
    states: z
      .object({
        idle: counted.describe('Nothing to do.'),
        due: counted.describe('Wait for a worker.'),
        running: counted.describe('A worker compacts them.'),
        backoff: counted.describe('Failed, and are retried later.'),
        parked: counted.describe('Not retried without a change by a person.'),
      })
      .describe('Threads by the state of their compaction.'),
    models: z
      .array(
        z.object({
          model: z.string().nullable().describe('Null: threads without a model.'),
          threads: counted.describe('Threads with this model.'),
        }),
      )
      .describe('The most used first, 50 at most.'),
  })
  .meta({ id: 'ThreadCounts' });
