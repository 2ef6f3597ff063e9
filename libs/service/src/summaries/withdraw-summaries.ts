import { weigh, type Entry } from '@spillway/engine';
import {
  callersSummary,
  lockSharedOutputs,
  lockThread,
  readEntries,
  requestCompaction,
  withdraw,
  type ThreadRow,
  type Withdraw,
  type Withdrawn,
} from '@spillway/store';
import { removeFromArchive } from '../compaction/archive-context.js';
import { entryOf } from '../messages/entries.js';
import { shownWeightIn } from '../messages/shown-weight.js';
import { getThread } from '../threads/get-thread.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { reached } from '../crash-point.js';
import type { Runtime } from '../runtime.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

/** Chooses what to withdraw, from the current thread and its entries; null when that was done before. */
export type Decide = (
  thread: ThreadRow,
  entries: readonly Entry[],
) => Promise<{ what: Withdraw['what'] | null; entry?: Entry }>;

export interface Withdrawal {
  thread: ThreadRow;
  /** Whether another summary is to be made. A worker may have begun, or even made it, by the time the thread was read. */
  isDue: boolean;
}

/**
 * Withdraws summaries, and starts over from the original messages when the active one is among them; `entry` is an
 * erased message as it is now. Until the new summary exists, the thread serves the messages that fit. Throws
 * `thread_not_found`, `thread_busy`.
 */
export async function withdrawSummaries(
  rt: Runtime,
  projectId: string,
  threadId: string,
  decide: Decide,
): Promise<Withdrawal> {
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const { baseTokens, budget } = await rt.settings.ofRow(thread);
    const window = { projectId, threadUid: thread.uid, after: 0, through: thread.headSeq, also: [] };
    const entries = (await readEntries(rt.store.query, window)).map(entryOf);
    const { what, entry } = await decide(thread, entries);
    if (what === null) {
      await removeText(rt, thread, entry);
      return { thread, isDue: false };
    }
    const weight = (of: Entry): number => weigh(of, budget.limit);
    const old = entry && entries.find(({ seq }) => seq === entry.seq);
    const shown = await shownWeightIn(rt, thread, budget.limit);
    const delta = entry && old ? shown(entry) - shown(old) : 0;
    const deltaAlone = entry && old ? weight(entry) - weight(old) : 0;
    const all = entries.reduce((sum, one) => sum + weight(one), 0);
    const isLive = entry !== undefined && entry.seq > thread.coveredThrough;
    const done = await withdrawn(rt, thread, {
      projectId,
      threadId,
      what,
      contentVersion: thread.contentVersion,
      liveTokens: thread.liveTokens,
      activeGeneration: thread.generation,
      policyVersion: thread.policyVersion,
      liveTokensWithout: baseTokens + all + deltaAlone,
      liveTokensDelta: isLive ? delta : 0,
    });
    if (!done) return undefined;
    reached('erasure.committed');
    await removeText(rt, thread, entry);
    const now = await getThread(rt, projectId, threadId);
    hintCompaction(rt, now);
    return { thread: now, isDue: done.isDue };
  });
}

/**
 * Removes the text of an erased message from archived files. A running attempt that wrote one sees the new version of the
 * thread and removes it.
 */
async function removeText(rt: Runtime, thread: ThreadRow, entry: Entry | undefined): Promise<void> {
  if (entry) await removeFromArchive(rt, thread, { fromSeq: entry.seq, toSeq: entry.seq });
}

/**
 * An erasure waits for forks that are being made, so that it knows which outputs they share. A caller's own summary that
 * was active before the withdrawn ones is put in place again.
 */
function withdrawn(rt: Runtime, thread: ThreadRow, asked: Withdraw): Promise<Withdrawn | undefined> {
  const { projectId, threadId, what } = asked;
  const { uid: threadUid, generation, headSeq: seq } = thread;
  return rt.store.transaction(async (query) => {
    if ('erase' in what) {
      await lockThread(query, projectId, threadId);
      await lockSharedOutputs(query, { projectId, threadUid, seq: what.erase.seq });
    }
    const done = await withdraw(query, asked);
    // A fold that is due begins with that summary as well.
    if (done === undefined || done.isDue || !done.generations.includes(generation)) return done;
    if (!(await callersSummary(query, { projectId, threadUid, generation: 0 }))) return done;
    await requestCompaction(query, projectId, threadId, { kind: 'rebuild', seq });
    return { ...done, isDue: true };
  });
}
