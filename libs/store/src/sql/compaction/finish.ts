import type { Query } from '../../connection/store.js';

/** How an attempt without a summary ended. */
export interface Finish {
  projectId: string;
  threadUid: string;
  epoch: number;
  outcome: 'nothing_to_compact' | 'failed' | 'parked' | 'lost_cas' | 'released';
  reason: string | null;
  error: string | null;
  /** Whether it uses one of the thread's attempts. */
  counts: boolean;
  /** False when nothing was tried: then nothing is recorded. */
  tried: boolean;
  /** Until a fold is tried ahead of its trigger again; what the claim said unless given. */
  prepareInMs?: number | null;
  /** The next state of the thread; null leaves it due. */
  then: { parkReason: string } | { retryInMs: number } | 'idle' | null;
  /** The next seq at the claim: one more message may make a thread due again that is to become idle. */
  nextSeq: number;
  /** The request at the claim; a later one stays pending. */
  request: string | null;
  /** The thread as the attempt saw it: what follows from it is not done to one that was changed since. */
  policyVersion: number;
  contentVersion: number;
}

const isAnswered = 't.request IS NOT DISTINCT FROM $13::text';
const isSame = `${isAnswered} AND t.policy_version = $14::int AND t.content_version = $15::int`;
const isIdle = `$9::bool AND ${isSame}`;
/** What was appended meanwhile makes the thread due only when it is over its trigger. */
const isSettled = `${isIdle} AND (t.next_seq = $10::int OR NOT t.summary_enabled OR t.live_tokens < t.trigger_tokens)`;

/**
 * Reports the outcome of an attempt and releases the lease, in one step, if the lease is still held. What follows for the
 * thread holds for the thread as the attempt saw it: one that was changed meanwhile, or that somebody requested a
 * compaction of, is not parked and not idle but stays due, and a new request ends the back-off. A thread over its trigger
 * becomes idle only when nothing was appended either.
 *
 * An attempt that reports only after another worker took its lease did not end its worker: it is no longer recorded as
 * lost, and does not count among the lost attempts that park a thread as poison. Nothing else follows from it.
 *
 * An error in which a provider may repeat what it was sent is dropped when the thread was changed meanwhile: the change
 * may have been the erasure of a message in it.
 */
const text = `
WITH thread AS (
  UPDATE threads AS t SET
    lease_until = NULL, lost_attempts = 0,
    last_error = CASE WHEN t.content_version = $15::int THEN coalesce($6::text, t.last_error) ELSE t.last_error END,
    park_reason = CASE WHEN ${isSame} THEN $7::text END, parked_tokens = t.live_tokens,
    next_attempt_at = CASE WHEN ${isAnswered} THEN now() + $8::int * interval '1 ms' END,
    needs_compaction = t.needs_compaction AND NOT (${isSettled}),
    prepare_at = CASE WHEN ${isIdle} OR t.prepare_at IS NULL THEN NULL
      ELSE coalesce(now() + $16::bigint * interval '1 ms', t.prepare_at) END,
    request = CASE WHEN ${isSame} AND ($9::bool OR $7::text IS NOT NULL) THEN NULL
      ELSE t.request END,
    requested_at = CASE WHEN ${isSettled} THEN NULL ELSE t.requested_at END,
    attempt = CASE WHEN $9::bool OR $7::text IS NOT NULL THEN 0 WHEN NOT $11::bool THEN greatest(t.attempt - 1, 0) ELSE t.attempt END
  WHERE t.project_id = $1 AND t.uid = $2 AND t.lease_epoch = $3 AND t.lease_until IS NOT NULL
  RETURNING content_version
), late AS (
  UPDATE threads AS t SET lost_attempts = greatest(t.lost_attempts - 1, 0),
    attempt = CASE WHEN $11::bool THEN t.attempt ELSE greatest(t.attempt - 1, 0) END
  WHERE t.project_id = $1 AND t.uid = $2 AND t.lease_epoch > $3 AND EXISTS (
    SELECT FROM compaction_attempts a
    WHERE a.project_id = $1 AND a.thread_uid = $2 AND a.epoch = $3 AND a.outcome = 'lost')
  RETURNING content_version
), seen AS (
  SELECT content_version FROM thread UNION ALL SELECT content_version FROM late
), untried AS (
  DELETE FROM compaction_attempts a WHERE NOT $12::bool AND a.project_id = $1 AND a.thread_uid = $2 AND a.epoch = $3
)
UPDATE compaction_attempts a SET outcome = $4::text, reason = $5::text, ended_at = now(),
  error = CASE WHEN $15::int IN (SELECT content_version FROM seen) THEN $6::text END
WHERE a.project_id = $1 AND a.thread_uid = $2 AND a.epoch = $3 AND $12::bool
  AND (a.outcome IS NULL OR a.outcome = 'lost')`;

export async function finish(query: Query, f: Finish): Promise<void> {
  const then = f.then;
  const parkReason =
    then !== null && typeof then === 'object' && 'parkReason' in then ? then.parkReason : null;
  const retryInMs = then !== null && typeof then === 'object' && 'retryInMs' in then ? then.retryInMs : null;
  await query({ name: 'finish', text }, [
    f.projectId,
    f.threadUid,
    f.epoch,
    f.outcome,
    f.reason,
    f.error,
    parkReason,
    retryInMs,
    then === 'idle',
    f.nextSeq,
    f.counts,
    f.tried,
    f.request,
    f.policyVersion,
    f.contentVersion,
    f.prepareInMs ?? null,
  ]);
}
