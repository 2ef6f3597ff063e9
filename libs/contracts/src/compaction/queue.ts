import { z } from 'zod';
import { page } from '../list.js';
import { whole } from '../quantities.js';
import { plainText, timestamp } from '../text.js';
import { threadCompaction } from '../threads/thread.js';

export const dueThread = z
  .object({
    thread_id: z.string().describe('The thread.'),
    live_tokens: whole.describe('Tokens of its context as it stands.'),
    trigger_tokens: whole.describe('Live tokens at which a compaction is due.'),
    requested_at: timestamp.nullable().describe('When it became due; null when it is not.'),
    waited_ms: whole.nullable().describe('How long it has been due.'),
    trigger: z
      .enum(['automatic', 'manual', 'rebuild'])
      .describe('What made it due: its size, a request, or a rebuild.'),
    compaction: threadCompaction,
    last_error: plainText(10_000)
      .nullable()
      .describe('What the last attempt ran into; null without an error.'),
  })
  .meta({
    id: 'DueThread',
    description:
      'A thread whose compaction is due, in progress, backing off, parked or waits for an approval.',
  });

export const queueQuery = z.strictObject({
  limit: page.limit,
  state: z
    .enum(['due', 'proposed', 'running', 'backoff', 'parked'])
    .optional()
    .describe('Only threads in this state. Default: all that are not idle.'),
  reason: plainText(100).optional().describe('Why it is parked.'),
});

export const queueRetry = z
  .strictObject({
    state: z.enum(['parked', 'backoff']).describe('Retries all threads in this state.'),
    reason: plainText(100).optional().describe('Of parked threads, only those parked for this reason.'),
  })
  .meta({ id: 'QueueRetry' });

export const queueRetried = z
  .object({
    retried: whole.describe('Threads that are due again.'),
    more: z.boolean().describe('True when there are more: a request retries at most 1,000.'),
  })
  .meta({ id: 'QueueRetried' });

export const queue = z
  .object({
    counts: z
      .object({
        due: whole.describe('Wait for a worker.'),
        proposed: whole.describe('Their proposed summary waits for an approval.'),
        running: whole.describe('A worker compacts them.'),
        backoff: whole.describe('Failed, and are retried later.'),
        parked: whole.describe('Not retried without a change by a person.'),
      })
      .describe('All threads of the project that are not idle.'),
    oldest_due_ms: whole
      .nullable()
      .describe(
        'For how long a worker could have claimed the oldest due thread; null without one, and while compaction is paused.',
      ),
    paused_at: timestamp
      .nullable()
      .describe(
        'Since when the operator lets no worker compact threads of the project; null while workers do.',
      ),
    parked_by_reason: z
      .array(
        z.object({
          reason: z.string().describe('As in `compaction.reason` of a thread.'),
          count: whole.describe('Threads.'),
        }),
      )
      .describe('The parked threads by what has to be changed.'),
    threads: z.array(dueThread).describe('The threads that match the filters, at most `limit`.'),
    sweeps: z
      .array(
        z.object({
          started_at: timestamp.describe('When it began.'),
          duration_ms: whole.describe('How long it took.'),
          expired: whole.describe('Outputs that had passed their time to live.'),
          over_budget: whole.describe("Outputs that exceeded the project's max_bytes."),
          deleted: whole.describe('Blobs that were removed.'),
          bytes_freed: whole.describe('Size of the removed blobs.'),
          orphans: whole.describe('Removed blobs without a row.'),
          refused: z.string().nullable().describe('Why storage was not swept.'),
          failed: whole.describe('Blobs and folders that could not be removed; each is retried later.'),
          error: z.string().nullable().describe('Why the first of them could not be removed.'),
        }),
      )
      .describe('The newest 20 sweeps of the output storage.'),
  })
  .meta({ id: 'Queue' });
