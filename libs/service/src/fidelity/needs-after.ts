import { NeedFinder, needWindow, usedValues, type Need, type SeqMessage } from '@spillway/engine';
import { readBodies } from '@spillway/store';
import { seqMessageOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';

/** A summary and the messages that came after it was made. */
export interface AfterFold {
  projectId: string;
  threadUid: string;
  toSeq: number;
  /** Covered messages that contexts show verbatim. */
  verbatim: readonly number[];
  /** Uses count after this message. */
  afterSeq: number;
  /** The newest message of the thread. */
  lastSeq: number;
}

/** Folded messages that are looked through for a value, the newest first: what is older does not count as a need. */
const maxFolded = 1_000;
/** Messages read at a time. */
const atOnce = 50;

/** The last message in which a use counts as a need. */
export const lastLookedAt = ({ afterSeq, lastSeq }: Pick<AfterFold, 'afterSeq' | 'lastSeq'>): number =>
  Math.min(lastSeq, afterSeq + needWindow);

/** What the agent used of the folded messages in the first messages after a fold. Bounded in what it reads. */
export async function needsAfter(rt: Runtime, fold: AfterFold): Promise<Need[]> {
  if (fold.lastSeq <= fold.afterSeq) return [];
  const { projectId, threadUid, toSeq } = fold;
  const of = { projectId, threadUid };
  const shown = await readSeqs(rt, of, fold.verbatim);
  const last = lastLookedAt(fold);
  for (let from = toSeq + 1; from <= last; from += atOnce)
    for (const message of await readSeqs(rt, of, seqsOf(from, Math.min(last, from + atOnce - 1))))
      shown.push(message);
  const finder = new NeedFinder(usedValues(shown, fold.afterSeq));
  const verbatim = new Set(fold.verbatim);
  const oldest = Math.max(1, toSeq - maxFolded + 1);
  for (let to = toSeq; to >= oldest && !finder.isDone; to -= atOnce) {
    const folded = await readSeqs(rt, of, seqsOf(Math.max(oldest, to - atOnce + 1), to));
    for (const message of folded.reverse()) if (!verbatim.has(message.seq)) finder.look(message);
  }
  return finder.needs();
}

const seqsOf = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** These messages in seq order, without rewound ones. */
export async function readSeqs(
  rt: Runtime,
  { projectId, threadUid }: { projectId: string; threadUid: string },
  seqs: readonly number[],
): Promise<SeqMessage[]> {
  if (seqs.length === 0) return [];
  const rows = await readBodies(rt.store.query, projectId, threadUid, [...seqs]);
  return rows.filter(({ rewoundBefore }) => rewoundBefore === 0).map(seqMessageOf);
}
