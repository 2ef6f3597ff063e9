import { approvedVersion, type PreparedState } from '@spillway/store';
import type { PreparedRecord, ThreadRecord, ThreadTable } from '../rows.js';
import { byThreadId, byThreadUid, type MemoryStatement } from '../statement.js';

/** The values of libs/store/src/sql/compaction/prepare.ts, by what they stand for. */
function prepareValues(values: readonly unknown[]) {
  const [epoch] = values.slice(2) as [number];
  const [chain, generation, coveredThrough, contentVersion, policyVersion] = values.slice(4) as number[];
  const [fromSeq, toSeq, asOfSeq] = values.slice(12) as [number, number, number];
  const [tokens, maxTokens, tokensBefore, tokensAfter] = values.slice(19) as [number, number, number, number];
  return {
    epoch,
    failure: values[29] as string | null,
    state: values[3] as PreparedState,
    idleMs: values[26] as number | null,
    seen: { chain, generation, coveredThrough, contentVersion, policyVersion },
    settingsVersion: values[9] as number,
    request: values[10] as string | null,
    summary: {
      newChain: values[11] as boolean,
      fromSeq,
      toSeq,
      asOfSeq,
      seenSeq: values[28] as number,
      carried: [...(values[15] as number[])],
      clearedThrough: values[16] as number,
      fields: values[17] as string,
      text: values[18] as string,
      tokens,
      maxTokens,
      tokensBefore,
      tokensAfter,
      method: values[23] as PreparedRecord['method'],
      model: values[24] as string | null,
      instructions: values[25] as string,
      settingsVersion: values[9] as number,
      fidelity: JSON.parse(values[27] as string) as object,
    },
  };
}

export const prepare: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    const { epoch, failure, state, idleMs, seen, settingsVersion, request, summary } = prepareValues(values);
    if (!thread || thread.row.deletedAt !== null || thread.row.preparedGeneration !== 0) return [];
    const { row: t } = thread;
    if (t.chain !== seen.chain || t.generation !== seen.generation) return [];
    if (t.coveredThrough !== seen.coveredThrough || t.contentVersion !== seen.contentVersion) return [];
    if (t.policyVersion !== seen.policyVersion) return [];
    if (tables.projects.get(t.projectId)!.settingsVersion !== settingsVersion) return [];
    if (tables.isPaused(t.projectId)) return [];
    t.preparedGeneration = t.lastGeneration = t.lastGeneration + 1;
    t.preparedState = state;
    t.prepareAt = state === 'prepared' && idleMs !== null ? tables.now() + idleMs : null;
    const isAskedFor = t.request !== request;
    t.needsCompaction = isAskedFor || (t.summaryEnabled && t.liveTokens >= t.triggerTokens);
    t.requestedAt = t.needsCompaction ? (t.requestedAt ?? tables.now()) : null;
    if (!isAskedFor) t.request = null;
    if (t.leaseEpoch === epoch) t.leaseUntil = null;
    Object.assign(t, { attempt: 0, lostAttempts: 0, nextAttemptAt: null, lastError: null, parkReason: null });
    const generation = t.preparedGeneration;
    thread.prepared = { generation, createdAt: tables.now(), ...summary };
    const attempt = thread.attempts.find((one) => one.epoch === epoch);
    const { fromSeq, toSeq, method, model, tokensBefore, tokensAfter } = summary;
    const came = { generation, fromSeq, toSeq, method, model, tokensBefore, tokensAfter };
    if (attempt) Object.assign(attempt, came, { outcome: state, reason: failure });
    tables.touched.add(thread);
    return [{ generation, stillDue: t.needsCompaction }];
  },
};

export const voidPrepared: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    const t = thread?.row;
    if (!t || t.deletedAt !== null || t.preparedGeneration !== values[2]) return [];
    t.preparedGeneration = 0;
    t.needsCompaction ||= t.summaryEnabled && t.liveTokens >= t.triggerTokens;
    t.requestedAt = t.needsCompaction ? (t.requestedAt ?? tables.now()) : null;
    t.updatedAt = tables.now();
    tables.touched.add(thread);
    return [{ uid: t.uid }];
  },
};

export const approveProposal: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    const t = thread?.row;
    if (!t || t.deletedAt !== null || t.preparedGeneration !== values[2]) return [];
    if (t.preparedState !== 'proposed') return [];
    t.requestedAt = tables.now();
    Object.assign(t, { preparedState: 'prepared', needsCompaction: true, parkReason: null });
    Object.assign(t, { nextAttemptAt: null, attempt: 0, lostAttempts: 0, updatedAt: tables.now() });
    thread.prepared!.settingsVersion = approvedVersion;
    thread.approved.add(t.preparedGeneration);
    tables.touched.add(thread);
    return [{}];
  },
};

export const rejectProposal: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    const t = thread?.row;
    if (!t || t.deletedAt !== null || t.preparedGeneration !== values[2]) return [];
    if (t.preparedState !== 'proposed') return [];
    const isOver = t.summaryEnabled && t.liveTokens >= t.triggerTokens;
    thread.rejected.add(t.preparedGeneration);
    t.preparedGeneration = 0;
    t.needsCompaction = t.request !== null || isOver;
    t.requestedAt = t.needsCompaction ? (t.requestedAt ?? tables.now()) : null;
    t.parkReason = t.request === null && isOver ? 'declined' : null;
    Object.assign(t, { parkedTokens: t.liveTokens, nextAttemptAt: null, updatedAt: tables.now() });
    tables.touched.add(thread);
    return [{}];
  },
};

export const wasDecided: MemoryStatement = {
  of: byThreadId,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    // An erasure takes the thread's id out of the audit log.
    const decided = thread?.[values[3] as 'approved' | 'rejected'];
    const isFound = thread?.row.deletedAt === null && decided?.has(Number(values[2]));
    return isFound ? [{}] : [];
  },
};

export const readPrepared: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    if (!thread?.prepared || thread.row.deletedAt !== null) return [];
    const { row: t, prepared } = thread;
    const chain = prepared.newChain ? t.lastChain + 1 : t.chain;
    const of = { projectId: t.projectId, threadUid: t.uid, state: t.preparedState };
    return [{ ...prepared, ...of, chain, createdAt: new Date(prepared.createdAt) }];
  },
};

/** What the trigger void_prepared does with each update of a thread's row. True when it voided a summary. */
export function voidIfChanged(before: Readonly<ThreadRecord>, table: ThreadTable): boolean {
  const { row: t } = table;
  if (before.preparedGeneration === 0) return false;
  const isReplaced = t.preparedGeneration !== before.preparedGeneration;
  const isChanged = madeFrom.some((column) => t[column] !== before[column]);
  if (!isReplaced && !isChanged) return false;
  if (!isReplaced) t.preparedGeneration = 0;
  if (t.preparedGeneration === 0) t.preparedState = null;
  if (table.prepared?.generation === before.preparedGeneration) table.prepared = null;
  return true;
}

/** The trigger runs before the update, so an answer of the statement shows what it left. */
export function withoutVoid(answer: object, { row }: ThreadTable): void {
  const { preparedGeneration, preparedState } = row;
  if ('preparedGeneration' in answer) Object.assign(answer, { preparedGeneration, preparedState });
}

const madeFrom = ['chain', 'generation', 'coveredThrough', 'contentVersion', 'policy', 'deletedAt'] as const;
