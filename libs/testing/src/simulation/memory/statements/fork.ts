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
    const [atSeq, generation, liveTokens, contentVersion, policyVersion] = values.slice(5) as [
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
    const shown = parent.summaries.find(
      (one) =>
        one.generation === generation &&
        one.toSeq <= atSeq &&
        one.withdrawnAt === null &&
        one.rewoundBefore === 0,
    );
    if ((generation !== 0 && !shown) || tables.find(p.projectId, newId)) return [];
    const copy = copyOf(tables, parent, { newId: newId!, newUid: newUid!, atSeq, liveTokens, shown });
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
  shown: SummaryRecord | undefined;
}

function copyOf(
  tables: Tables,
  { row: p, ...parent }: ThreadTable,
  { newId, newUid, atSeq, liveTokens, shown }: Copied,
): ThreadTable {
  const now = tables.now();
  const messages = parent.messages.filter(({ seq, rewoundBefore }) => seq <= atSeq && rewoundBefore === 0);
  const isDue = p.summaryEnabled && liveTokens >= p.triggerTokens;
  const generation = shown ? 1 : 0;
  const seqs = new Set(messages.map(({ seq }) => seq));
  const served = [...parent.served.values()]
    .filter((one) => seqs.has(one.seq) && (one.generation === 0 || one.generation === shown?.generation))
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
      ...{ coveredThrough: shown?.toSeq ?? 0, contentVersion: 1 },
      ...{ needsCompaction: isDue, request: null, requestedAt: isDue ? now : null },
      ...{ preparedGeneration: 0, preparedState: null, prepareAt: null },
      ...{ leaseOwner: null, leaseUntil: null, leaseEpoch: 0, attempt: 0, lostAttempts: 0 },
      ...{ nextAttemptAt: null, parkReason: null, parkedTokens: 0, lastError: null },
      ...{ createdAt: now, updatedAt: now },
    },
    messages: messages.map((one) => ({ ...one })),
    summaries: shown ? [firstOf(shown, newUid, atSeq)] : [],
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
    served: new Map(
      served.map((one) => [one.seq, { ...one, generation: Math.min(one.generation, 1) }] as const),
    ),
    prompts: new Map([...parent.prompts].filter(([hash]) => hashes.has(hash))),
    lockedBy: null,
    committed: null,
  };
}

const firstOf = (shown: SummaryRecord, threadUid: string, atSeq: number): SummaryRecord => ({
  ...shown,
  ...{ threadUid, generation: 1, chain: 1, fromSeq: 1, replaces: 0, restoredFrom: null, undoneAt: null },
  asOfSeq: Math.min(shown.asOfSeq, atSeq),
  seenSeq: Math.min(shown.seenSeq, atSeq),
  visibleFromSeq: Math.min(shown.visibleFromSeq, atSeq),
  fidelity: withoutRecall(shown.fidelity),
});
