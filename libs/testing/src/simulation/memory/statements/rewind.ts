import { dueSince } from '../due-since.js';
import { byThreadId, byThreadUid, type MemoryStatement } from '../statement.js';
import { headSeqOf, threadRowOf } from '../thread-row-of.js';
import { withoutRecall } from './changes.js';

export const rewind: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const [toSeq, generation, liveTokens, ...seen] = values.slice(2, 9) as [
      number,
      number,
      number,
      ...number[],
    ];
    const [key, marked, markedTokens] = values.slice(9, 12) as [string | null, number, number];
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    const is = [t.contentVersion, t.nextSeq, t.generation, t.policyVersion];
    if (is.some((value, i) => value !== seen[i])) return [];
    if (headSeqOf(t) < toSeq || (headSeqOf(t) === toSeq && key === null)) return [];
    const old = thread.summaries.find(
      (one) =>
        one.generation === generation &&
        one.toSeq <= toSeq &&
        one.withdrawnAt === null &&
        one.rewoundBefore === 0,
    );
    if (!old && generation !== 0) return [];
    if (key !== null && thread.rewinds.some((one) => one.key === key))
      throw Object.assign(new Error('duplicate key'), { code: '23505' });
    const gone = thread.messages.filter(({ seq, rewoundBefore }) => seq > toSeq && rewoundBefore === 0);
    const active = t.generation;
    const isCovered = t.coveredThrough > toSeq;
    t.contentVersion++;
    t.rewoundTo = toSeq;
    t.leadingThrough = Math.min(t.leadingThrough, toSeq);
    t.liveTokens = liveTokens;
    t.totalTokens -= gone.reduce((sum, { fullTokens }) => sum + fullTokens, markedTokens);
    if (isCovered) {
      t.chain = t.lastChain = t.lastChain + 1;
      t.generation = generation === 0 ? 0 : (t.lastGeneration = t.lastGeneration + 1);
      t.coveredThrough = old?.toSeq ?? 0;
    }
    t.needsCompaction = t.request !== null || (t.summaryEnabled && liveTokens >= t.triggerTokens);
    t.requestedAt = t.needsCompaction ? dueSince(t, tables.now()) : null;
    Object.assign(t, { parkReason: null, parkedTokens: 0, prepareAt: null, nextAttemptAt: null });
    Object.assign(t, { leaseUntil: null, attempt: 0, lostAttempts: 0, lastError: null });
    t.updatedAt = tables.now();
    // Records may be shared with readers: they are replaced, not changed.
    const rewoundBefore = t.nextSeq;
    const isGone = new Set(gone);
    thread.messages = thread.messages.map((one) => (isGone.has(one) ? { ...one, rewoundBefore } : one));
    thread.summaries = thread.summaries.map((one) =>
      one.toSeq > toSeq && one.rewoundBefore === 0 ? { ...one, rewoundBefore } : one,
    );
    if (old && t.generation !== active)
      thread.summaries.push({
        ...old,
        generation: t.generation,
        chain: t.chain,
        fromSeq: 1,
        asOfSeq: t.nextSeq - 1,
        visibleFromSeq: t.nextSeq,
        tokensAfter: liveTokens,
        restoredFrom: old.generation,
        replaces: old.replaces ?? old.generation - 1,
        undoneAt: null,
        fidelity: withoutRecall(old.fidelity),
      });
    for (const one of thread.instructions.values())
      if (one.seq > toSeq && one.source === 'found') thread.instructions.delete(one.id);
    const beforeSeq = t.nextSeq;
    const messages = gone.length + marked;
    thread.rewinds.push({ version: t.contentVersion, toSeq, beforeSeq, messages, key });
    tables.touched.add(thread);
    return [{ ...threadRowOf(tables, t), messages }];
  },
};

export const markRewound: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values, _, undo) => {
    const thread = byThreadUid(tables, values);
    const [after, through, rewoundBefore] = values.slice(2, 5) as [number, number, number];
    const { messages = [] } = thread ?? {};
    const gone = new Set(
      messages.filter((one) => one.seq > after && one.seq <= through && one.rewoundBefore === 0),
    );
    if (thread) {
      undo.push(() => Object.assign(thread, { messages }));
      thread.messages = messages.map((one) => (gone.has(one) ? { ...one, rewoundBefore } : one));
      tables.touched.add(thread);
    }
    const fullTokens = [...gone].reduce((sum, one) => sum + one.fullTokens, 0);
    return [{ count: gone.size, fullTokens }];
  },
};

export const rewindOfKey: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const found = byThreadUid(tables, values)?.rewinds.find(({ key }) => key === values[2]);
    return found ? [{ toSeq: found.toSeq, beforeSeq: found.beforeSeq, messages: found.messages }] : [];
  },
};

export const summaryThrough: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const found = byThreadUid(tables, values)?.summaries.findLast(
      ({ toSeq, withdrawnAt, undoneAt, rewoundBefore }) =>
        toSeq <= (values[2] as number) && withdrawnAt === null && undoneAt === null && rewoundBefore === 0,
    );
    return found ? [{ generation: found.generation }] : [];
  },
};

export const seqBefore: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const found = byThreadUid(tables, values)?.messages.findLast(
      ({ seq, rewoundBefore }) => seq < (values[2] as number) && rewoundBefore === 0,
    );
    return found ? [{ seq: found.seq }] : [];
  },
};

export const rewoundAmong: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) =>
    (byThreadUid(tables, values)?.messages ?? [])
      .filter(({ seq, rewoundBefore }) => rewoundBefore > 0 && (values[2] as number[]).includes(seq))
      .map(({ seq }) => ({ seq })),
};
