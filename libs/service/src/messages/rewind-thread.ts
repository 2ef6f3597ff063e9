import { SpillwayError } from '@spillway/engine';
import {
  fullRanges,
  isUniqueViolation,
  lockThread,
  markRewound,
  rewind,
  rewindOfKey,
  type Rewind,
  type RewindRow,
  type ThreadRow,
} from '@spillway/store';
import { refuseOtherLastSeq } from './refuse-other-last-seq.js';
import { removeFromArchive } from '../compaction/archive-context.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { reached } from '../crash-point.js';
import type { Runtime } from '../runtime.js';
import { weighUnder } from '../summaries/activate-generation.js';
import { getThread } from '../threads/get-thread.js';
import { refuseRewoundTarget, summaryBefore } from './rewind-target.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

export interface RewindInput {
  projectId: string;
  threadId: string;
  /** The message that becomes the newest; 0 leaves none. */
  toSeq: number;
  /** Rewinds nothing unless this is the newest message; 0 for none. */
  ifLastSeq?: number | undefined;
  /** The same key rewinds once. */
  key?: string | undefined;
}

export interface Rewound {
  thread: ThreadRow;
  /** How many messages left the context. */
  messages: number;
  /** An earlier request with the same key rewound them. */
  replayed: boolean;
}

/**
 * Takes the messages after a seq out of the context. They stay readable, and so does every context that was served; the
 * next message gets the next seq. A summary that covers one of them gives way to the newest one that covers none, or to
 * the messages themselves. Throws `thread_not_found`, `invalid_request`, `message_rewound`, `last_seq_changed`,
 * `idempotency_conflict`, `thread_busy`.
 */
export async function rewindThread(rt: Runtime, asked: RewindInput): Promise<Rewound> {
  const { projectId, threadId, toSeq, key } = asked;
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const known =
      key === undefined ? undefined : await rewindOfKey(rt.store.query, projectId, thread.uid, key);
    if (known) {
      const same = sameRewind(known, toSeq);
      // The first request may have ended between the two looks.
      const now = await getThread(rt, projectId, threadId);
      await clearArchive(rt, now, { fromSeq: toSeq + 1, toSeq: known.beforeSeq - 1 });
      return { thread: now, ...same, replayed: true };
    }
    refuseOtherLastSeq(asked, thread);
    await refuseRewoundTarget(rt, thread, toSeq, 'to_seq').catch(async (refusal: unknown) => {
      // Another request may have rewound the thread since it was read: then its newest message is another one.
      refuseOtherLastSeq(asked, await getThread(rt, projectId, threadId));
      throw refusal;
    });
    // With a key it is recorded, so that a retry after an append takes nothing back.
    if (toSeq === thread.headSeq && key === undefined) {
      await clearArchive(rt, thread, { fromSeq: toSeq + 1, toSeq: thread.nextSeq - 1 });
      return { thread, messages: 0, replayed: false };
    }
    const summary = await summaryBefore(rt, thread, toSeq);
    const { liveTokens } = await weighUnder(rt, thread, summary, toSeq);
    reached('rewind.before_commit');
    const rewound = await rewindInParts(rt, thread.uid, {
      projectId,
      threadId,
      toSeq,
      generation: summary?.generation ?? 0,
      liveTokens,
      contentVersion: thread.contentVersion,
      nextSeq: thread.nextSeq,
      activeGeneration: thread.generation,
      policyVersion: thread.policyVersion,
      key: key ?? null,
    }).catch(keyTaken);
    if (!rewound) return undefined;
    reached('rewind.committed');
    const { messages, ...row } = rewound;
    await clearArchive(rt, row, { fromSeq: toSeq + 1, toSeq: row.nextSeq - 1 });
    if (row.state === 'due') hintCompaction(rt, row);
    return { thread: row, messages, replayed: false };
  });
}

/**
 * Rewinds by one statement, or by several in a transaction where one could not mark that many messages in time. Undefined
 * when the thread changed meanwhile.
 */
async function rewindInParts(
  rt: Runtime,
  threadUid: string,
  r: Rewind,
): Promise<(ThreadRow & { messages: number }) | undefined> {
  const ranges = [...fullRanges({ after: r.toSeq, through: r.nextSeq - 1 })];
  if (ranges.length === 0) return rewind(rt.store.query, r);
  const { projectId, threadId, nextSeq } = r;
  const changed = new Error('The thread changed meanwhile.');
  return rt.store
    .transaction(async (query) => {
      const locked = await lockThread(query, projectId, threadId);
      if (locked?.nextSeq !== nextSeq) throw changed;
      const marked = { count: 0, fullTokens: 0, through: r.toSeq };
      for (const range of ranges) {
        const { count, fullTokens } = await markRewound(query, { projectId, threadUid, nextSeq, ...range });
        marked.count += count;
        marked.fullTokens += fullTokens;
        marked.through = range.through;
      }
      const rewound = await rewind(query, { ...r, marked });
      // What was marked is taken back.
      if (!rewound) throw changed;
      return rewound;
    })
    .catch((error: unknown) => {
      if (error !== changed) throw error;
      return undefined;
    });
}

/** Also for a retry: the first request may have ended between its commit and this. */
async function clearArchive(
  rt: Runtime,
  row: ThreadRow,
  rewound: { fromSeq: number; toSeq: number },
): Promise<void> {
  if (rewound.fromSeq > rewound.toSeq) return;
  const { policy } = await rt.settings.ofRow(row);
  if (policy.context.archive) await removeFromArchive(rt, row, rewound);
}

/** Another request used the key at the same time: the next look finds its rewind. */
function keyTaken(error: unknown): undefined {
  if (!isUniqueViolation(error)) throw error;
}

function sameRewind({ toSeq, messages }: RewindRow, asked: number): { messages: number } {
  if (toSeq === asked) return { messages };
  throw new SpillwayError(
    'idempotency_conflict',
    `This Idempotency-Key rewound the thread to ${toSeq}, not ${asked}. Use a new key.`,
  );
}
