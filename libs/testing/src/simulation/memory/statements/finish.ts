import { byThreadUid, type MemoryStatement } from '../statement.js';

export const finish: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const [epoch, outcome, reason, error] = values.slice(2) as [number, string, string | null, string | null];
    const [parkReason, retryInMs] = values.slice(6) as [string | null, number | null];
    const [idle, nextSeq, counts, tried] = values.slice(8) as [boolean, number, boolean, boolean];
    const [request, policyVersion, contentVersion] = values.slice(12) as [string | null, number, number];
    const prepareInMs = values[15] as number | null;
    const thread = byThreadUid(tables, values);
    if (!thread) return [];
    const { row: t } = thread;
    const attempt = thread.attempts.find((one) => one.epoch === epoch);
    const isHeld = t.leaseEpoch === epoch && t.leaseUntil !== null;
    const isLate = t.leaseEpoch > epoch && attempt?.outcome === 'lost';
    // The change may have been the erasure of a message that the error repeats.
    const kept = (isHeld || isLate) && t.contentVersion === contentVersion ? error : null;
    if (isHeld) {
      const isAnswered = t.request === request;
      const isSame = isAnswered && t.policyVersion === policyVersion && t.contentVersion === contentVersion;
      const isDue = t.nextSeq !== nextSeq && t.summaryEnabled && t.liveTokens >= t.triggerTokens;
      const settled = idle && !isDue && isSame;
      const ended = idle || parkReason !== null;
      t.leaseUntil = null;
      t.lostAttempts = 0;
      t.lastError = kept ?? t.lastError;
      t.parkReason = isSame ? parkReason : null;
      t.parkedTokens = t.liveTokens;
      t.nextAttemptAt = retryInMs === null || !isAnswered ? null : tables.now() + retryInMs;
      t.needsCompaction &&= !settled;
      if (idle && isSame) t.prepareAt = null;
      else if (t.prepareAt !== null && prepareInMs !== null) t.prepareAt = tables.now() + prepareInMs;
      if (ended && isSame) t.request = null;
      if (settled) t.requestedAt = null;
      if (ended) t.attempt = 0;
      else if (!counts) t.attempt = Math.max(t.attempt - 1, 0);
    }
    if (isLate) {
      t.lostAttempts = Math.max(t.lostAttempts - 1, 0);
      if (!counts) t.attempt = Math.max(t.attempt - 1, 0);
    }
    if (!tried) thread.attempts = thread.attempts.filter((one) => one.epoch !== epoch);
    else if (attempt && (attempt.outcome ?? 'lost') === 'lost')
      Object.assign(attempt, { outcome, reason, error: kept, sawNextSeq: nextSeq });
    tables.touched.add(thread);
    return [];
  },
};
