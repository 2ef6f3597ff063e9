import type { NothingToCompact } from '@spillway/engine';
import { giveUp, retryLater, skipped, type Outcome, type Reason } from '@spillway/jobs';
import { approachCount, isProviderTrouble, SummarizerError } from '@spillway/llm';
import { finish, readCompactionPause, readThread, type Finish, type ThreadRow } from '@spillway/store';
import { hintCompaction } from './hint-compaction.js';
import type { Lease } from './lease.js';
import { backoffMs, isPassing, maxAttempts } from './retry-rules.js';
import type { Runtime } from '../runtime.js';

interface FailedAttempt {
  lease: Lease;
  /** A model answered, whatever came of it: the attempt stays recorded, with its cost. */
  hasSpent: boolean;
}

/** What happens to a thread whose attempt failed. */
export async function attemptFailed(
  rt: Runtime,
  row: ThreadRow,
  error: unknown,
  { lease, hasSpent }: FailedAttempt,
): Promise<Outcome> {
  if (rt.draining.aborted) {
    await report(rt, row, { outcome: 'released', reason: 'shutting_down', counts: false, then: null });
    return skipped('shutting_down');
  }
  // An erasure leaves the lease with this worker: it is released, and the attempt does not count as lost.
  if (lease.signal.aborted || isAborted(error)) {
    return overtaken(rt, row, { counts: false, reason: 'lease_lost' });
  }
  if (!row.needsCompaction) return notPrepared(rt, row, error, hasSpent);
  if (!(error instanceof SummarizerError)) return ourTrouble(rt, row, error);
  const { failure, message } = error;
  if (isProviderTrouble(failure)) return waitForProvider(rt, row, error, hasSpent);
  logFailure(rt, row, failure);
  if (failure === 'auth') return park(rt, row, 'auth', message);
  if (failure === 'refused' && row.attempt >= 2) return park(rt, row, 'refused', message);
  if (failure === 'rejected' && row.attempt >= approachCount) return park(rt, row, 'rejected', message);
  if (row.attempt >= maxAttempts) return park(rt, row, 'too_many_attempts', message);
  const ms = backoffMs(rt.timing.failedAttempt, row.attempt, Math.random());
  await report(rt, row, { outcome: 'failed', reason: failure, error: message, then: { retryInMs: ms } });
  return retryLater(ms, 'summary_failed');
}

/**
 * A fold that could not be made ahead leaves the thread as it is: it is not due, and its trigger makes the fold. After
 * an outage it is tried again in a while. A model that was paid for an answer nobody can use would most likely give it
 * again, for as long as nobody continues the thread: then, in practice, only the trigger tries again.
 */
async function notPrepared(rt: Runtime, row: ThreadRow, error: unknown, hasSpent: boolean): Promise<Outcome> {
  const known = error instanceof SummarizerError ? error.failure : null;
  if (known === null) rt.log.error({ err: error, thread: row.uid }, 'a fold could not be prepared');
  const tried = known !== 'paused' || hasSpent;
  const isTrouble = known === null ? isPassing(error) : isProviderTrouble(known);
  const prepareInMs = isTrouble ? null : rt.timing.prepareAnewMs;
  const reason = known ?? 'internal';
  await report(rt, row, { outcome: 'failed', reason, counts: false, tried, prepareInMs, then: null });
  return skipped('not_prepared');
}

/** What the provider said may repeat what was sent to it: it is with the attempt, where the project sees it alone. */
function logFailure({ log }: Runtime, row: ThreadRow, failure: string): void {
  const { projectId: project, uid: thread, attempt, leaseEpoch: epoch } = row;
  log.warn({ project, thread, epoch, attempt, failure }, 'the model made no summary');
}

const isAborted = (error: unknown): boolean =>
  error instanceof SummarizerError && error.failure === 'aborted';

/**
 * An outage of the provider is not the thread's fault: it is retried without limit and uses no attempt. When no request
 * was sent, nothing is recorded. The parts of a fold before the one that was not sent are requests.
 */
async function waitForProvider(
  rt: Runtime,
  row: ThreadRow,
  { failure, message, retryAfterMs }: SummarizerError,
  hasSpent: boolean,
): Promise<Outcome> {
  const wasSent = failure !== 'paused';
  if (wasSent) logFailure(rt, row, failure);
  const ms = Math.ceil(retryAfterMs ?? 0);
  await report(rt, row, {
    outcome: 'failed',
    reason: failure,
    // An open circuit breaker says less than the error that opened it.
    error: wasSent || row.lastError === null ? message : null,
    counts: false,
    tried: wasSent || hasSpent,
    then: { retryInMs: ms },
  });
  return retryLater(ms, wasSent ? 'summary_failed' : 'provider_paused');
}

/**
 * An outage of the database or the storage is retried as well. A defect uses attempts, so that the thread is parked and
 * somebody sees it.
 */
async function ourTrouble(rt: Runtime, row: ThreadRow, error: unknown): Promise<Outcome> {
  rt.log.error({ err: error, thread: row.uid }, 'a compaction failed');
  const passes = isPassing(error);
  if (!passes && row.attempt >= maxAttempts) return park(rt, row, 'too_many_attempts', 'See the log.');
  const ms = backoffMs(rt.timing.failedAttempt, row.attempt, Math.random());
  const reason = passes ? 'unavailable' : 'internal';
  await report(rt, row, { outcome: 'failed', reason, counts: !passes, then: { retryInMs: ms } });
  return retryLater(ms, 'summary_failed');
}

/**
 * Attempts that are repeated at once. Later ones wait for the poll, so that a thread that changes without pause does not
 * ask its model without pause.
 */
const maxRepeatedAtOnce = 5;

/**
 * Ends an attempt whose thread changed meanwhile, or whose summary may take no effect because the operator paused
 * compaction: then the thread waits for the end of the pause, and the attempt does not count. A worker is told at once
 * when the thread is still due: the change itself told none, because the thread was running. An attempt that does not
 * count ended with its lease, so that its heartbeats bound how often it is repeated.
 */
export async function overtaken(
  rt: Runtime,
  row: ThreadRow,
  { counts = true, reason = 'lost_cas' }: { counts?: boolean; reason?: 'lost_cas' | 'lease_lost' } = {},
): Promise<Outcome> {
  if (await readCompactionPause(rt.store.query, row.projectId)) {
    await report(rt, row, { outcome: 'released', reason: 'compaction_paused', counts: false, then: null });
    return skipped('compaction_paused');
  }
  await report(rt, row, { outcome: 'lost_cas', counts, then: null });
  if (row.attempt <= maxRepeatedAtOnce) {
    const now = await readThread(rt.store.query, row.projectId, row.id);
    if (now?.state === 'due') hintCompaction(rt, now);
  }
  return skipped(reason);
}

/** The thread stays as it is: no fold would reclaim enough. */
export async function nothingToCompact(
  rt: Runtime,
  row: ThreadRow,
  reason: NothingToCompact['reason'],
): Promise<Outcome> {
  await report(rt, row, { outcome: 'nothing_to_compact', reason, then: 'idle' });
  return skipped(reason);
}

/** The thread waits until the reason ends: docs/state-machine.md says what ends which. */
export async function park(
  rt: Runtime,
  row: ThreadRow,
  reason: Reason,
  error: string | null,
): Promise<Outcome> {
  await report(rt, row, { outcome: 'parked', reason, error, then: { parkReason: reason } });
  return giveUp(reason);
}

type Report = Pick<Finish, 'outcome' | 'then'> &
  Partial<Pick<Finish, 'reason' | 'error' | 'counts' | 'tried' | 'prepareInMs'>>;

/** Records how an attempt without a summary ended, and releases the lease. */
export function report(rt: Runtime, row: ThreadRow, how: Report): Promise<void> {
  countAttempt(rt, how.outcome, how.reason);
  return finish(rt.store.query, {
    reason: null,
    error: null,
    counts: true,
    tried: true,
    ...how,
    projectId: row.projectId,
    threadUid: row.uid,
    epoch: row.leaseEpoch,
    nextSeq: row.nextSeq,
    request: row.request,
    policyVersion: row.policyVersion,
    contentVersion: row.contentVersion,
  });
}

/** Counts an attempt by how it ended. */
export function countAttempt(
  { metrics }: Pick<Runtime, 'metrics'>,
  outcome: Finish['outcome'] | 'compacted' | 'prepared' | 'proposed',
  reason: string | null = null,
): void {
  metrics.add('spillway_compaction_attempts_total', { outcome, reason: reason ?? 'none' });
}
