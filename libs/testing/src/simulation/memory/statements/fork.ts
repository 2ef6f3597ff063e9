import type { SummaryRecord, ThreadTable } from '../rows.js';
import { byThreadId, type MemoryStatement } from '../statement.js';
import type { Tables } from '../tables.js';
import { headSeqOf, threadRowOf } from '../thread-row-of.js';
import { withoutRecall } from './changes.js';

/** As in Postgres: more are never searched. */
const servedContexts = 64;

/** Locks the parent only against an erasure, as the statement does: nobody else waits. */
export const fork: MemoryStatement = {
  run: (tables, values) => {
    const [, , uid, newId, newUid] = values as string[];
    const [atSeq, generation, liveTokens, contentVersion, policyVersion, below] = values.slice(5) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const parent = byThreadId(tables, values);
    if (!parent || parent.row.uid !== uid || parent.row.deletedAt !== null) return [];
    const { row: p } = parent;
    if (p.contentVersion !== contentVersion || p.policyVersion !== policyVersion || headSeqOf(p) < atSeq)
      return [];
    const holds = (wanted: number, through: number) =>
      parent.summaries.find(
        (one) =>
          one.generation === wanted &&
          one.toSeq <= through &&
          one.withdrawnAt === null &&
          one.rewoundBefore === 0,
      );
    const shown = holds(generation, atSeq);
    const madeFrom = shown && holds(below, shown.toSeq - 1);
    if ((generation !== 0 && !shown) || (below !== 0 && !madeFrom)) return [];
    if (tables.find(p.projectId, newId)) return [];
    const copied = [madeFrom, shown].filter((one) => one !== undefined);
    const copy = copyOf(tables, parent, { newId: newId!, newUid: newUid!, atSeq, liveTokens, copied });
    tables.add(copy);
    tables.touched.add(copy);
    return [threadRowOf(tables, copy.row)];
  },
};

interface Copied {
  newId: string;
  newUid: string;
  atSeq: number;
  liveTokens: number;
  /** The summary that the fork shows, after the caller's own that it was made from. */
  copied: SummaryRecord[];
}

function copyOf(
  tables: Tables,
  { row: p, ...parent }: ThreadTable,
  { newId, newUid, atSeq, liveTokens, copied }: Copied,
): ThreadTable {
  const now = tables.now();
  const messages = parent.messages.filter(({ seq, rewoundBefore }) => seq <= atSeq && rewoundBefore === 0);
  const isDue = p.summaryEnabled && liveTokens >= p.triggerTokens;
  const generation = copied.length;
  /** The generation of the fork that a parent's one became; -1 where none did. */
  const newOf = (one: number): number =>
    one === 0 ? 0 : copied.findIndex((summary) => summary.generation === one) + 1 || -1;
  const seqs = new Set(messages.map(({ seq }) => seq));
  const served = [...parent.served.values()]
    .filter((one) => seqs.has(one.seq) && newOf(one.generation) >= 0)
    .sort((a, b) => b.seq - a.seq)
    .slice(0, servedContexts);
  const hashes = new Set(served.map(({ promptHash }) => promptHash));
  const instructions = [...parent.instructions.values()].filter(
    ({ seq, source }) => source === 'added' || seq <= atSeq,
  );
  return {
    row: {
      ...p,
      ...{ id: newId, uid: newUid, forkedFrom: p.id, forkSeq: atSeq, nextSeq: atSeq + 1, rewoundTo: null },
      ...{ leadingThrough: Math.min(p.leadingThrough, atSeq), liveTokens },
      totalTokens: messages.reduce((sum, { fullTokens }) => sum + fullTokens, 0),
      outputCount: 0,
      ...{ policyVersion: 1, chain: 1, lastChain: 1, generation, lastGeneration: generation },
      ...{ coveredThrough: copied.at(-1)?.toSeq ?? 0, contentVersion: 1 },
      ...{ needsCompaction: isDue, request: null, requestedAt: isDue ? now : null },
      ...{ preparedGeneration: 0, preparedState: null, prepareAt: null },
      ...{ leaseOwner: null, leaseUntil: null, leaseEpoch: 0, attempt: 0, lostAttempts: 0 },
      ...{ nextAttemptAt: null, parkReason: null, parkedTokens: 0, lastError: null },
      ...{ createdAt: now, updatedAt: now },
    },
    messages: messages.map((one) => ({ ...one })),
    summaries: copied.map((one, at) => ({
      ...copyOfSummary(one, newUid, atSeq),
      ...{ generation: at + 1, fromSeq: (copied[at - 1]?.toSeq ?? 0) + 1, replaces: at },
    })),
    prepared: null,
    approved: new Set(),
    rejected: new Set(),
    attempts: [],
    rewinds: [],
    instructions: new Map(
      instructions.map((one) => [
        one.id,
        {
          ...one,
          seq: Math.min(one.seq, atSeq),
          decidedSeq: one.decidedSeq === null ? null : Math.min(one.decidedSeq, atSeq),
        },
      ]),
    ),
    served: new Map(served.map((one) => [one.seq, { ...one, generation: newOf(one.generation) }] as const)),
    prompts: new Map([...parent.prompts].filter(([hash]) => hashes.has(hash))),
    lockedBy: null,
    committed: null,
  };
}

const copyOfSummary = (shown: SummaryRecord, threadUid: string, atSeq: number): SummaryRecord => ({
  ...shown,
  ...{ threadUid, chain: 1, restoredFrom: null, undoneAt: null },
  asOfSeq: Math.min(shown.asOfSeq, atSeq),
  seenSeq: Math.min(shown.seenSeq, atSeq),
  visibleFromSeq: Math.min(shown.visibleFromSeq, atSeq),
  fidelity: withoutRecall(shown.fidelity),
});
