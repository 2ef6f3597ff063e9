import { dueSince } from '../due-since.js';
import { byThreadId, byThreadUid, type MemoryStatement } from '../statement.js';
import { rowVersionOf, threadRowOf } from '../thread-row-of.js';

export const requestCompaction: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const request = values[2] as string | null;
    const { row: t } = thread;
    t.needsCompaction = true;
    t.requestedAt = dueSince(t, tables.now());
    t.request = request ?? t.request;
    Object.assign(t, { parkReason: null, nextAttemptAt: null, attempt: 0, lostAttempts: 0 });
    tables.touched.add(thread);
    return [threadRowOf(tables, t)];
  },
};

export const restore: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const [generation, liveTokens, contentVersion, nextSeq, active, policyVersion] = values.slice(
      2,
    ) as number[];
    const undo = values[8] as boolean;
    const thread = byThreadId(tables, values);
    const old = thread?.summaries.find(
      (one) => one.generation === generation && one.withdrawnAt === null && one.rewoundBefore === 0,
    );
    if (!thread || (!old && generation !== 0) || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    if (t.contentVersion !== contentVersion || t.nextSeq !== nextSeq || t.generation !== active) return [];
    if (t.policyVersion !== policyVersion) return [];
    t.chain = t.lastChain = t.lastChain + 1;
    t.generation = old ? (t.lastGeneration = t.lastGeneration + 1) : 0;
    t.coveredThrough = old?.toSeq ?? 0;
    t.contentVersion++;
    t.liveTokens = liveTokens!;
    t.needsCompaction = t.request !== null || (t.summaryEnabled && t.liveTokens >= t.triggerTokens);
    t.requestedAt = t.needsCompaction ? tables.now() : null;
    t.parkReason = undo && t.request === null && t.needsCompaction ? 'undone' : null;
    if (undo) t.parkedTokens = liveTokens!;
    Object.assign(t, { nextAttemptAt: null, leaseUntil: null, attempt: 0, lostAttempts: 0 });
    t.updatedAt = tables.now();
    // Records may be shared with readers: they are replaced, not changed.
    if (undo)
      thread.summaries = thread.summaries.map((one) =>
        one.generation === active ? { ...one, undoneAt: tables.now() } : one,
      );
    if (old)
      thread.summaries.push({
        ...old,
        generation: t.generation,
        chain: t.chain,
        fromSeq: 1,
        asOfSeq: t.nextSeq - 1,
        visibleFromSeq: t.rewoundTo === null ? t.nextSeq - 1 : t.nextSeq,
        tokensAfter: liveTokens!,
        restoredFrom: old.generation,
        replaces: undo ? (old.replaces ?? old.generation - 1) : active,
        undoneAt: null,
        fidelity: withoutRecall(old.fidelity),
      });
    tables.touched.add(thread);
    return [{ generation: t.generation }];
  },
};

/** What was needed after the old generation says nothing of the new one. */
export function withoutRecall(fidelity: object | null): object | null {
  if (fidelity === null) return null;
  return Object.fromEntries(Object.entries(fidelity).filter(([name]) => name !== 'recall'));
}

export const pinMessage: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const [seq, pinned, contentVersion, generation, delta] = values.slice(2) as [
      number,
      boolean,
      number,
      number,
      number,
    ];
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    if (t.contentVersion !== contentVersion || t.generation !== generation) return [];
    t.contentVersion++;
    t.liveTokens += delta;
    t.updatedAt = tables.now();
    // Records may be shared with readers: they are replaced, not changed.
    thread.messages = thread.messages.map((one) => (one.seq === seq ? { ...one, pinned } : one));
    tables.touched.add(thread);
    return thread.messages.some((one) => one.seq === seq) ? [{ seq }] : [];
  },
};

export const holdMessages: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const [seqs, holds, tokens] = values.slice(2) as [number[], string[], number[]];
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    thread.row.updatedAt = tables.now();
    // Records may be shared with readers: they are replaced, not changed.
    thread.messages = thread.messages.map((one) => {
      const at = one.erasedAt === null ? seqs.indexOf(one.seq) : -1;
      return at < 0 ? one : { ...one, hold: holds[at]!, holdTokens: tokens[at]! };
    });
    tables.touched.add(thread);
    return [{}];
  },
};

export const erase: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    Object.assign(t, { deletedAt: tables.now(), contentVersion: t.contentVersion + 1, policy: '{}' });
    Object.assign(t, { needsCompaction: false, request: null, lastError: null, parkReason: null });
    Object.assign(t, { liveTokens: 0, coveredThrough: 0, generation: 0, leaseUntil: null, prepareAt: null });
    t.updatedAt = tables.now();
    thread.messages = [];
    thread.summaries = [];
    thread.attempts = [];
    thread.rewinds = [];
    thread.served.clear();
    thread.prompts.clear();
    thread.instructions.clear();
    tables.touched.add(thread);
    return [{ uid: t.uid }];
  },
};

/** Messages of a range, and what contexts that ended with them showed. */
export const eraseRange: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values, _, undo) => {
    const thread = byThreadUid(tables, values);
    if (!thread) return [];
    const [after, through] = values.slice(2, 4) as [number, number];
    const isOutside = (seq: number) => seq <= after || seq > through;
    const { messages, served } = thread;
    undo.push(() => Object.assign(thread, { messages, served }));
    thread.messages = messages.filter(({ seq }) => isOutside(seq));
    thread.served = new Map([...served].filter(([seq]) => isOutside(seq)));
    tables.touched.add(thread);
    return [];
  },
};

/** How a thread is treated. Model, metadata, tools and format are not held here. */
export const updateThread: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const policyVersion = values[2] as number;
    const [system, , policy] = values.slice(4) as [string | null, string, string];
    const [contextWindow, limitTokens, triggerTokens] = values.slice(7) as number[];
    const summaryEnabled = values[10] as boolean;
    const [calibration, measuredRatio] = values.slice(12) as number[];
    const liveDelta = values[15] as number;
    const thread = byThreadUid(tables, values);
    if (!thread || thread.row.deletedAt !== null || thread.row.policyVersion !== policyVersion) return [];
    const { row: t } = thread;
    Object.assign(t, { system, policy, contextWindow, limitTokens, triggerTokens, summaryEnabled });
    Object.assign(t, {
      calibration,
      measuredRatio,
      requestTokens: 0,
      weighedVersion: 0,
      policyVersion: policyVersion + 1,
    });
    t.liveTokens += liveDelta;
    t.needsCompaction = t.request !== null || (summaryEnabled && t.liveTokens >= t.triggerTokens);
    const unparks = ['irreducible', 'rejected', 'undone', 'declined'].includes(t.parkReason ?? '');
    t.requestedAt = t.needsCompaction ? dueSince(t, tables.now(), unparks) : null;
    if (unparks) t.parkReason = null;
    t.updatedAt = tables.now();
    tables.touched.add(thread);
    return [threadRowOf(tables, t)];
  },
};

export const weighAgain: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const [liveTokens, contextWindow, limitTokens, triggerTokens] = values.slice(2) as number[];
    const summaryEnabled = values[6] as boolean;
    const [settingsVersion, ...seen] = values.slice(7) as number[];
    const thread = byThreadUid(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    const is = [t.policyVersion, t.nextSeq, t.generation, t.contentVersion];
    if (is.some((value, i) => value !== seen[i])) return [];
    Object.assign(t, { liveTokens, contextWindow, limitTokens, triggerTokens, summaryEnabled });
    t.weighedVersion = settingsVersion!;
    t.needsCompaction = t.request !== null || (summaryEnabled && t.liveTokens >= t.triggerTokens);
    const unparks = ['irreducible', 'undone', 'declined'].includes(t.parkReason ?? '');
    t.requestedAt = t.needsCompaction ? dueSince(t, tables.now(), unparks) : null;
    if (unparks) t.parkReason = null;
    tables.touched.add(thread);
    return [threadRowOf(tables, t)];
  },
};

export const measureCalibration: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const [policyVersion, measuredRatio, triggerTokens] = values.slice(2) as [number, number, number];
    const thread = byThreadUid(tables, values);
    if (!thread || thread.row.deletedAt !== null || thread.row.policyVersion !== policyVersion) return [];
    const { row: t } = thread;
    Object.assign(t, { measuredRatio, triggerTokens, policyVersion: policyVersion + 1 });
    if (t.summaryEnabled && t.liveTokens >= triggerTokens) {
      t.needsCompaction = true;
      t.requestedAt ??= tables.now();
    }
    tables.touched.add(thread);
    return [{ ...threadRowOf(tables, t), rowVersion: rowVersionOf(tables, t) }];
  },
};

export const raiseRequestTokens: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const tokens = values[2] as number;
    const thread = byThreadUid(tables, values);
    if (!thread || thread.row.deletedAt !== null || thread.row.requestTokens >= tokens) return [];
    const { row: t } = thread;
    Object.assign(t, { requestTokens: tokens, weighedVersion: 0, policyVersion: t.policyVersion + 1 });
    tables.touched.add(thread);
    return [{ uid: t.uid }];
  },
};
