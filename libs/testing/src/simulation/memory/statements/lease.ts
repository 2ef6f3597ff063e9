import { byThreadId, byThreadUid, type MemoryStatement } from '../statement.js';
import { isDue, mayBePrepared } from './due.js';
import { threadRowOf } from '../thread-row-of.js';

export const claim: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    if (!thread || !(isDue(tables, thread.row) || mayBePrepared(tables, thread.row))) return [];
    const [, , owner, leaseMs, prepareAgainMs] = values as [string, string, string, number, number];
    const { row: t, attempts } = thread;
    t.leaseOwner = owner;
    t.leaseUntil = tables.now() + leaseMs;
    if (!t.needsCompaction) t.prepareAt = tables.now() + prepareAgainMs;
    t.leaseEpoch++;
    t.attempt++;
    t.lostAttempts++;
    for (const attempt of attempts) attempt.outcome ??= 'lost';
    const unasked = t.needsCompaction ? 'automatic' : 'ahead';
    const trigger = t.request === null ? unasked : (JSON.parse(t.request) as { kind: string }).kind;
    const unknown = { outcome: null, reason: null, error: null, generation: null, fromSeq: null };
    const later = { toSeq: null, method: null, model: null, tokensBefore: null, tokensAfter: null };
    attempts.push({ epoch: t.leaseEpoch, trigger, ...unknown, ...later });
    tables.touched.add(thread);
    return [threadRowOf(tables, t)];
  },
};

export const heartbeat: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    const [, , epoch, contentVersion, leaseMs] = values as [string, string, number, number, number];
    const t = thread?.row;
    if (!t || t.leaseUntil === null || t.leaseEpoch !== epoch) return [];
    if (t.contentVersion !== contentVersion || t.deletedAt !== null) return [];
    if (tables.isPaused(t.projectId)) return [];
    t.leaseUntil = tables.now() + leaseMs;
    tables.touched.add(thread);
    return [{ uid: t.uid }];
  },
};
