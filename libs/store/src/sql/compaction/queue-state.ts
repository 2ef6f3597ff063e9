import { isPaused, resumedAt } from '../../access/compaction-pause.js';
import type { Query } from '../../connection/store.js';
import { stateOf, type ThreadState } from '../../threads/thread-row.js';
import { awaitsApproval } from './decide-proposal.js';

/** What a thread with something to compact waits for. `proposed`: for a person who approves its summary. */
export type QueueState = Exclude<ThreadState, 'idle'> | 'proposed';

/** The state of thread `t` in the queue: a due thread whose summary waits for an approval waits for no worker. */
export const queueStateOf = (t: string): string =>
  `CASE WHEN ${stateOf(t)} = 'due' AND ${awaitsApproval(t)} THEN 'proposed' ELSE ${stateOf(t)} END`;

/**
 * Since when a due thread `t` can be claimed: one that failed before could not be until its back-off ended, one whose
 * worker died until its lease expired, and one of a paused project until that was resumed. Null while it is paused.
 */
export const claimableSince = (t: string): string =>
  `CASE WHEN NOT ${isPaused(`${t}.project_id`)} THEN
    greatest(${t}.requested_at, ${t}.next_attempt_at, ${t}.lease_until, ${resumedAt(`${t}.project_id`)}) END`;

/** Whether the due thread `t` could be claimed all the time since it became due, but for pauses of its project. */
export const wasAlwaysClaimable = (t: string): string =>
  `(${t}.next_attempt_at IS NULL AND ${t}.lease_until IS NULL)`;

/** Number of threads in each state of the queue, and for how long a worker could have claimed the oldest, in ms. */
export async function countByState(query: Query, projectId: string) {
  const rows = await query<Record<QueueState, number> & { oldest: number | null }>(
    {
      name: 'count-by-state',
      text: `SELECT count(*) FILTER (WHERE state = 'due')::int AS due,
          count(*) FILTER (WHERE state = 'proposed')::int AS proposed,
          count(*) FILTER (WHERE state = 'running')::int AS running,
          count(*) FILTER (WHERE state = 'backoff')::int AS backoff,
          count(*) FILTER (WHERE state = 'parked')::int AS parked,
          round(extract(epoch FROM now() - min(since) FILTER (WHERE state = 'due')) * 1000)::float8 AS oldest
        FROM (SELECT ${queueStateOf('t')} AS state, ${claimableSince('t')} AS since FROM threads t
          WHERE t.project_id = $1 AND t.deleted_at IS NULL AND (t.needs_compaction OR t.park_reason IS NOT NULL)) q`,
    },
    [projectId],
  );
  const counted = rows[0]!;
  // A thread may become due after this statement began: its time is then later than now().
  return { ...counted, oldest: counted.oldest === null ? null : Math.max(0, counted.oldest) };
}

/** Parked threads by reason. */
export const countParked = (query: Query, projectId: string) =>
  query<{ reason: string; count: number }>(
    {
      name: 'count-parked',
      text: `SELECT park_reason AS reason, count(*)::int AS count FROM threads
        WHERE project_id = $1 AND deleted_at IS NULL AND park_reason IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
    },
    [projectId],
  );
