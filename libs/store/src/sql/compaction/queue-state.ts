import { isPaused, resumedAt } from '../../access/compaction-pause.js';
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
