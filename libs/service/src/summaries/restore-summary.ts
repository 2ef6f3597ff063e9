import { SpillwayError } from '@spillway/engine';
import type { SummaryRow, ThreadRow } from '@spillway/store';
import { activate, weighUnder } from './activate-generation.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { getThread } from '../threads/get-thread.js';
import { getSummaryInPlace } from './list-summaries.js';
import type { Runtime } from '../runtime.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

/**
 * Makes an older generation the active summary again. Its text is copied into a new generation with its own chain, so
 * nothing is overwritten. Messages that it does not cover are shown verbatim again, and a thread that is over its
 * trigger then is compacted. Throws `thread_not_found`, `summary_not_found`, `summary_withdrawn`, `summary_rewound`,
 * `thread_busy`.
 */
export async function restoreSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<{ thread: ThreadRow; summary: SummaryRow }> {
  const restored = await untilUnchanged(async () => {
    const { thread, summary } = await getSummaryInPlace(rt, projectId, threadId, generation);
    if (summary.withdrawnAt !== null)
      throw new SpillwayError('summary_withdrawn', 'This generation was withdrawn and cannot be restored.');
    if (summary.rewoundBefore > 0)
      throw new SpillwayError('summary_rewound', 'This generation covers messages that were rewound.');
    return activate(rt, await weighUnder(rt, thread, summary), false);
  });
  hintCompaction(rt, await getThread(rt, projectId, threadId));
  return getSummaryInPlace(rt, projectId, threadId, restored);
}
