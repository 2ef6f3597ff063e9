import { stateOf, type ThreadState } from '../../threads/thread-row.js';
import { awaitsApproval } from './decide-proposal.js';

/** What a thread with something to compact waits for. `proposed`: for a person who approves its summary. */
export type QueueState = Exclude<ThreadState, 'idle'> | 'proposed';

/** The state of thread `t` in the queue: a due thread whose summary waits for an approval waits for no worker. */
export const queueStateOf = (t: string): string =>
  `CASE WHEN ${stateOf(t)} = 'due' AND ${awaitsApproval(t)} THEN 'proposed' ELSE ${stateOf(t)} END`;

/** Since when a due thread `t` can be claimed: one that failed before could not be until its back-off ended. */
export const claimableSince = (t: string): string => `greatest(${t}.requested_at, ${t}.next_attempt_at)`;
