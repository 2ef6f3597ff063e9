import { SpillwayError } from '@spillway/engine';
import { approveProposal, rejectProposal, wasDecided, type ThreadRow } from '@spillway/store';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { getThread } from '../threads/get-thread.js';
import { getSummary } from './list-summaries.js';
import type { Runtime } from '../runtime.js';

export interface ProposalDecision {
  projectId: string;
  threadId: string;
  generation: number;
  approve: boolean;
}

/**
 * Approves a proposed summary, which a worker then puts in place as it is, or rejects it: it is void, and the thread
 * gets another proposal once it has grown. Approving again one that is approved, in place or was in place
 * changes nothing, nor does rejecting again one that was rejected. Throws `summary_not_found`, `summary_not_proposed`.
 */
export async function decideProposal(
  rt: Runtime,
  { projectId, threadId, generation, approve }: ProposalDecision,
): Promise<ThreadRow> {
  const of = { projectId, threadId, generation };
  const isDone = approve
    ? await approveProposal(rt.store.query, of)
    : await rejectProposal(rt.store.query, of);
  if (isDone) {
    const thread = await getThread(rt, projectId, threadId);
    if (thread.state === 'due') hintCompaction(rt, thread);
    return thread;
  }
  if (!approve && (await wasDecided(rt.store.query, of, 'rejected')))
    return getThread(rt, projectId, threadId);
  // A worker may put it in place at any moment: the thread is the one that belongs to the summary found.
  const { thread, summary } = await getSummary(rt, projectId, threadId, generation);
  const isApproved =
    summary.prepared === 'prepared' ||
    thread.generation === generation ||
    (await wasDecided(rt.store.query, of, 'approved'));
  if (approve && isApproved) return thread;
  throw new SpillwayError(
    'summary_not_proposed',
    `Generation ${generation} does not wait for an approval${isApproved ? ': it is approved' : ''}.`,
  );
}
