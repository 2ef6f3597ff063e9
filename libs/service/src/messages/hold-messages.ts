import {
  entriesOf,
  keptWeight,
  maxKeptTokens,
  SpillwayError,
  unitsWith,
  type Entry,
  type Hold,
} from '@spillway/engine';
import {
  findOutputsOfMessages,
  holdMessages as write,
  lockThread,
  readEntries,
  readHolds,
  readThread,
  type MessageHold,
  type ThreadRow,
} from '@spillway/store';
import { entryOf } from './entries.js';
import { getThread } from '../threads/get-thread.js';
import { untilUnchanged } from '../threads/until-unchanged.js';
import { isOutputOf, openOutputOfThread } from '../outputs/read-output.js';
import { maxHolds } from '../compaction/plan-thread.js';
import type { Runtime } from '../runtime.js';

/** A call and its results are at most this far apart in seq, for a hold to find them together. */
const unitReach = 64;

export interface Held {
  thread: ThreadRow;
  hold: Hold;
  /** The messages that are held now, with those that belong to them. */
  seqs: number[];
  /** What kept messages of the thread weigh together, and may. */
  keptTokens: number;
  maxKeptTokens: number;
}

/**
 * Keeps messages beside the next summaries, each with its calls and results, or releases them: then their tool results
 * become one line with the next fold, and they are kept no longer. Nothing changes before that fold. Throws
 * `thread_not_found`, `message_not_found`, `message_rewound`, `kept_too_large`, `thread_busy`.
 */
export async function holdMessages(
  rt: Runtime,
  of: { projectId: string; threadId: string; fromSeq: number; toSeq: number; hold: 'keep' | 'release' },
): Promise<Held> {
  return untilUnchanged(async () => {
    const thread = await getThread(rt, of.projectId, of.threadId);
    const holds = await holdsOfRange(rt, thread, of);
    return hold(rt, thread, of.hold, holds);
  });
}

/**
 * Keeps the message of an output with the whole content in place of its stub, or releases it: in its owner, or in the
 * thread named, which must be that or share it. Throws `output_not_found`, `output_gone`, `kept_too_large`.
 */
export async function holdOutput(
  rt: Runtime,
  projectId: string,
  id: string,
  name: 'keep' | 'release',
  inThread?: string,
): Promise<Held> {
  const found = await openOutputOfThread(rt, projectId, id);
  const { output, threadId } = found;
  if (inThread !== undefined && !(await isOutputOf(rt, inThread, found)))
    throw new SpillwayError('output_not_found', 'No such output.');
  const seq = output.seq!;
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, inThread ?? threadId);
    const holds = await holdsOfRange(rt, thread, { fromSeq: seq, toSeq: seq, hold: name });
    if (name === 'release') return hold(rt, thread, name, holds);
    const of = { projectId, threadUid: thread.uid };
    const own = await findOutputsOfMessages(rt.store, of, [seq]);
    const outputs = own.reduce((sum, one) => sum + (one.state === 'ready' ? one.tokens : 0), 0);
    const whole = holds.map((one) =>
      one.seq === seq ? { seq, hold: 'whole', tokens: one.tokens + outputs } : one,
    );
    return hold(rt, thread, 'whole', whole);
  });
}

async function holdsOfRange(
  rt: Runtime,
  thread: ThreadRow,
  { fromSeq, toSeq, hold: name }: { fromSeq: number; toSeq: number; hold: 'keep' | 'release' },
): Promise<MessageHold[]> {
  const last = thread.headSeq;
  if (toSeq > last)
    throw new SpillwayError('message_not_found', `The thread's newest message is ${last}, not ${toSeq}.`);
  const rows = await readEntries(rt.store.query, {
    projectId: thread.projectId,
    threadUid: thread.uid,
    after: Math.max(0, fromSeq - 1 - unitReach),
    through: Math.min(last, toSeq + unitReach),
    also: [],
  });
  const isMeant = ({ seq }: Entry): boolean => fromSeq <= seq && seq <= toSeq;
  const entries = rows.filter(({ rewoundBefore }) => rewoundBefore === 0).map(entryOf);
  if (!entries.some(isMeant))
    throw new SpillwayError('message_rewound', `Messages ${fromSeq} to ${toSeq} were rewound.`);
  const { limit } = (await rt.settings.ofRow(thread)).budget;
  const held = name === 'keep' ? unitsWith(entries, isMeant).flatMap(entriesOf) : entries.filter(isMeant);
  return held.map((entry) => ({
    seq: entry.seq,
    hold: name,
    tokens: keptWeight({ ...entry, hold: { name, tokens: entry.tokens } }, limit),
  }));
}

/**
 * What is kept already is read, compared with the bound and written under the lock of the thread. Undefined when its
 * messages changed since they were read: the range may have been rewound.
 */
async function hold(
  rt: Runtime,
  thread: ThreadRow,
  name: Hold,
  holds: readonly MessageHold[],
): Promise<Held | undefined> {
  const { projectId, uid, id } = thread;
  const max = maxKeptTokens((await rt.settings.ofRow(thread)).budget.limit);
  const keptTokens = await rt.store.transaction(async (query) => {
    await lockThread(query, projectId, id);
    const now = await readThread(query, projectId, id);
    if (now?.contentVersion !== thread.contentVersion) return undefined;
    const all = new Map((await readHolds(query, projectId, uid, maxHolds)).map((one) => [one.seq, one]));
    for (const one of holds) all.set(one.seq, one);
    const kept = [...all.values()].filter((one) => one.hold !== 'release');
    const tokens = kept.reduce((sum, one) => sum + one.tokens, 0);
    if (name !== 'release' && tokens > max)
      throw new SpillwayError(
        'kept_too_large',
        `Kept messages would take ${tokens} tokens; in this thread they may take ${max} together, ` +
          'a quarter of its limit. Release others, or read the parts of an output that are needed.',
      );
    if (kept.length > maxHolds)
      throw new SpillwayError('kept_too_large', `A thread may keep at most ${maxHolds} messages.`);
    if (!(await write(query, { projectId, threadId: id, holds })))
      throw new SpillwayError('thread_not_found', 'No such thread.');
    return tokens;
  });
  if (keptTokens === undefined) return undefined;
  return { thread, hold: name, seqs: holds.map(({ seq }) => seq), keptTokens, maxKeptTokens: max };
}
