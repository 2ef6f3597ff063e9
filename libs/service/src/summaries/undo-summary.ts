import { SpillwayError } from '@spillway/engine';
import { findSummary, type SummaryRow, type ThreadRow } from '@spillway/store';
import { activate, weighUnder } from './activate-generation.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { getThread } from '../threads/get-thread.js';
import { getSummaryInPlace } from './list-summaries.js';
import type { Runtime } from '../runtime.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

export interface UndoneSummary {
  thread: ThreadRow;
  /** The generation whose content is active again; 0 when the original messages are. */
  restoredFrom: number;
}

/**
 * Undoes the newest fold: what was active before it is active again, as a new generation, or the original messages
 * where nothing was. The undone generation stays readable and can be restored. Undoing it again changes nothing. A
 * thread that is over its trigger without the fold is not folded again until it has grown, or somebody asks. Throws
 * `summary_not_found`, `summary_withdrawn`, `summary_rewound`, `summary_not_newest`, `over_limit` when the messages do
 * not fit without the fold, `thread_busy`.
 */
export async function undoSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<UndoneSummary> {
  return untilUnchanged(async () => {
    const { thread, summary } = await getSummaryInPlace(rt, projectId, threadId, generation);
    const before = await activeBefore(rt, thread, summary);
    const restoredFrom = before?.generation ?? 0;
    if (summary.undoneAt !== null && thread.generation !== generation) return { thread, restoredFrom };
    refuseOther(thread, summary);
    const older = await weighUnder(rt, thread, before);
    const limit = Math.min(older.settings.budget.limit, older.settings.measuredLimit);
    if (older.liveTokens > limit)
      throw new SpillwayError(
        'over_limit',
        `Without generation ${generation} the context takes ${older.liveTokens} tokens; its limit is ${limit}. ` +
          'Raise the context window first, or rebuild the summary.',
      );
    if ((await activate(rt, older, true)) === undefined) return undefined;
    const now = await getThread(rt, projectId, threadId);
    if (now.state === 'due') hintCompaction(rt, now);
    return { thread: now, restoredFrom };
  });
}

function refuseOther(thread: ThreadRow, summary: SummaryRow): void {
  const { generation, withdrawnAt } = summary;
  if (withdrawnAt !== null)
    throw new SpillwayError('summary_withdrawn', 'This generation was withdrawn and cannot be undone.');
  if (summary.rewoundBefore > 0)
    throw new SpillwayError('summary_rewound', 'This generation covers messages that were rewound.');
  if (thread.generation !== generation) {
    const active = thread.generation === 0 ? 'no summary' : `generation ${thread.generation}`;
    throw new SpillwayError(
      'summary_not_newest',
      `Only the newest fold can be undone; ${active} is active now, not generation ${generation}. ` +
        'POST .../restore makes any older generation active.',
    );
  }
}

/** A generation that was withdrawn or rewound meanwhile does not come back: then the original messages do. */
async function activeBefore(rt: Runtime, thread: ThreadRow, summary: SummaryRow): Promise<SummaryRow | null> {
  // Rows from before the column have the generation before them.
  const generation = summary.replaces ?? summary.generation - 1;
  if (generation === 0) return null;
  const found = await findSummary(
    rt.store,
    { projectId: thread.projectId, threadUid: thread.uid },
    generation,
  );
  return found && found.withdrawnAt === null && found.rewoundBefore === 0 ? found : null;
}
