import { conversationOverhead, SpillwayError, weigh } from '@spillway/engine';
import { readEntries, restore, type SummaryRow, type ThreadRow } from '@spillway/store';
import { entryOf, seqsThrough } from '../messages/entries.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { getThread } from '../threads/get-thread.js';
import { getSummary } from './list-summaries.js';
import type { Runtime } from '../runtime.js';

/**
 * Makes an older generation the active summary again. Its text is copied into a new generation with its own chain, so
 * nothing is overwritten. Messages that it does not cover are shown verbatim again, and a thread that is over its
 * trigger then is compacted.
 */
export async function restoreSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<{ thread: ThreadRow; summary: SummaryRow }> {
  const { thread, summary } = await getSummary(rt, projectId, threadId, generation);
  if (summary.withdrawnAt !== null)
    throw new SpillwayError('summary_withdrawn', 'This generation was withdrawn and cannot be restored.');
  const settings = await rt.settings.ofRow(thread);
  const rows = await readEntries(rt.store.query, {
    projectId,
    threadUid: thread.uid,
    after: summary.toSeq,
    through: thread.nextSeq - 1,
    also: [...seqsThrough(thread.leadingThrough), ...summary.carried],
  });
  const recent = rows.reduce((sum, row) => sum + weigh(entryOf(row), settings.budget.limit), 0);
  const restored = await restore(rt.store.query, {
    projectId,
    threadId,
    generation,
    liveTokens: settings.systemTokens + conversationOverhead + summary.tokens + recent,
    contentVersion: thread.contentVersion,
    nextSeq: thread.nextSeq,
    activeGeneration: thread.generation,
    policyVersion: thread.policyVersion,
  });
  if (restored === undefined) throw new SpillwayError('thread_busy', 'The thread changed meanwhile. Retry.');
  hintCompaction(rt, await getThread(rt, projectId, threadId));
  return getSummary(rt, projectId, threadId, restored);
}
