import { SpillwayError } from '@spillway/engine';
import {
  pinMessage as writePin,
  readEntries,
  readThread,
  requestCompaction,
  type ThreadRow,
} from '@spillway/store';
import { entryOf } from './entries.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { reached } from '../crash-point.js';
import { getThread } from '../threads/get-thread.js';
import { refuseLargePin } from './prepare-messages.js';
import type { Runtime } from '../runtime.js';
import { shownWeightIn } from './shown-weight.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

export interface MessagePin {
  projectId: string;
  threadId: string;
  seq: number;
  pinned: boolean;
}

/**
 * Pins or unpins a recorded message. A message that no summary covers is pinned at once. For a covered one the summary
 * is made again from the original messages, and the active one is served until then. Throws `message_not_found`,
 * `message_rewound`, `pinned_too_large`, `thread_busy`.
 */
export async function pinMessage(rt: Runtime, pin: MessagePin): Promise<ThreadRow> {
  const { projectId, threadId, seq, pinned } = pin;
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const window = { projectId, threadUid: thread.uid, after: seq - 1, through: seq, also: [] };
    const [row] = await readEntries(rt.store.query, window);
    if (!row) throw new SpillwayError('message_not_found', 'The thread has no message with this seq.');
    if (row.rewoundBefore > 0) throw new SpillwayError('message_rewound', `Message ${seq} was rewound.`);
    if (row.pinned === pinned) return thread;
    const { budget } = await rt.settings.ofRow(thread);
    if (pinned) refuseLargePin(row.tokens, budget.limit, '/pinned');
    const entry = entryOf(row);
    const isCovered = seq <= thread.coveredThrough;
    const weightOf = await shownWeightIn(rt, thread, budget.limit);
    const delta = weightOf({ ...entry, pinned }) - weightOf(entry);
    // In one transaction: a retry finds the message pinned, and asks for nothing more.
    const written = await rt.store.transaction(async (query) => {
      const isPinned = await writePin(query, {
        ...pin,
        contentVersion: thread.contentVersion,
        activeGeneration: thread.generation,
        liveTokensDelta: isCovered ? 0 : delta,
      });
      if (!isPinned) return undefined;
      reached('pin.written');
      if (isCovered)
        return requestCompaction(query, projectId, threadId, { kind: 'rebuild', seq: thread.headSeq });
      // A thread that was parked because nothing could be cut may be reducible now.
      if (thread.state === 'parked') return requestCompaction(query, projectId, threadId, null);
      return readThread(query, projectId, threadId);
    });
    if (written?.state === 'due') hintCompaction(rt, written);
    return written;
  });
}
