import { SpanKind, trace } from '@opentelemetry/api';
import { done, noProgress, skipped, type Outcome, type Payload, type ReportProgress } from '@spillway/jobs';
import { approveProposal, asProject, claim, type CompactionRequest, type ThreadRow } from '@spillway/store';
import { reached } from '../crash-point.js';
import { attemptFailed, countAttempt, nothingToCompact, overtaken, park } from './end-attempt.js';
import { foldThreadAhead } from './fold-ahead.js';
import { holdLease, type Lease } from './lease.js';
import { planFold, type FoldPlan } from './plan-fold.js';
import { putInPlace, putPreparedInPlace } from './put-in-place.js';
import { keepSummary } from '../summaries/callers/keep-summary.js';
import type { RangeToSummarize } from '../summaries/range-to-summarize.js';
import { maxLostAttempts } from './retry-rules.js';
import type { Runtime } from '../runtime.js';
import { Spending } from '../usage/spending.js';
import { summarizeWithFallback, type SummaryWithFallback } from '../summaries/fallback-summary.js';
import { storePrepared, usablePrepared } from '../summaries/prepared-summary.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';
import { activeTraceId, contextOf, fail, inSpan } from '../tracing/spans.js';

/**
 * One compaction: claim, plan, summarize outside any transaction, commit by compare-and-set. Whatever fails in between,
 * the thread is due again when the lease expires, and at most one commit wins.
 */
export function compactThread(
  rt: Runtime,
  { traceparent, ...of }: Payload<'compact-thread'>,
  progress: ReportProgress = noProgress,
): Promise<Outcome> {
  const parent = contextOf({ traceparent });
  const span = { kind: SpanKind.CONSUMER, parent, attributes: { 'spillway.project': of.projectId } };
  return inSpan('compact thread', span, () =>
    asProject(of.projectId, 'service', () => compact(rt, of, progress)),
  );
}

async function compact(
  rt: Runtime,
  { projectId, threadId }: { projectId: string; threadId: string },
  progress: ReportProgress,
): Promise<Outcome> {
  if (rt.draining.aborted) return skipped('shutting_down');
  const row = await claim(rt.store.query, {
    projectId,
    threadId,
    owner: rt.owner,
    leaseMs: rt.leaseMs,
    prepareAgainMs: rt.timing.prepareAgainMs,
    traceId: activeTraceId(),
  });
  if (!row) return skipped('not_due');
  reached('compaction.claimed');
  const lease = holdLease(rt, row);
  const spending = new Spending();
  const claimedAt = performance.now();
  try {
    const outcome = await compactClaimed(rt, row, { lease, spending, progress }).catch((error: unknown) =>
      attemptFailed(rt, row, error, { lease, hasSpent: spending.isSome }),
    );
    attemptEnded(rt, row, outcome, performance.now() - claimedAt);
    return outcome;
  } finally {
    lease.release();
    await spending.record(rt, row);
  }
}

/** Logs an attempt, and for a summary in place how long the due thread waited for it. */
function attemptEnded({ metrics, log }: Runtime, row: ThreadRow, outcome: Outcome, tookMs: number): void {
  const { kind, facts } = outcome;
  // Not the thread's id: clients choose it.
  const { projectId: project, uid: thread, attempt, leaseEpoch: epoch, waitedMs } = row;
  const reason = 'reason' in outcome ? { reason: outcome.reason } : {};
  const line = { project, thread, epoch, attempt, outcome: kind, ...reason, ...facts };
  log.info({ ...line, ms: Math.round(tookMs) }, 'attempt ended');
  traceAttempt(row, outcome);
  const isInPlace = kind === 'done' && typeof facts?.tokens_after === 'number';
  if (!isInPlace || waitedMs === null) return;
  metrics.observe('spillway_compaction_trigger_to_summary_seconds', {}, (waitedMs + tookMs) / 1_000);
}

/** Writes the same to the attempt's span. An attempt that failed ends in an outcome, and throws nothing. */
function traceAttempt({ uid, leaseEpoch, attempt }: ThreadRow, outcome: Outcome): void {
  const span = trace.getActiveSpan();
  const { generation, tokens_before: before, tokens_after: after } = outcome.facts ?? {};
  span?.setAttributes({
    'spillway.thread': uid,
    'spillway.attempt.id': leaseEpoch,
    'spillway.attempt.number': attempt,
    'spillway.outcome': outcome.kind,
    ...('reason' in outcome ? { 'spillway.reason': outcome.reason } : {}),
    ...(typeof generation === 'number' ? { 'spillway.generation': generation } : {}),
    ...(typeof before === 'number' ? { 'spillway.tokens.before': before } : {}),
    ...(typeof after === 'number' ? { 'spillway.tokens.after': after } : {}),
  });
  if (span && (outcome.kind === 'retry_later' || outcome.kind === 'give_up')) fail(span, outcome.reason);
}

interface Attempt {
  lease: Lease;
  spending: Spending;
  progress: ReportProgress;
}

async function compactClaimed(
  rt: Runtime,
  claimed: ThreadRow,
  { lease, spending, progress }: Attempt,
): Promise<Outcome> {
  const weighed = isWeighed(claimed) ? undefined : await weighThread(rt, claimed.projectId, claimed.id);
  if (weighed && weighed.leaseEpoch !== claimed.leaseEpoch) {
    return overtaken(rt, claimed, { counts: false, reason: 'lease_lost' });
  }
  const row = weighed ?? claimed;
  if (row.lostAttempts > maxLostAttempts)
    return park(rt, row, 'poison', 'Its last attempts never reported back.');
  if (!row.needsCompaction && !claimed.needsCompaction) return foldThreadAhead(rt, row, lease, spending);
  if (!row.needsCompaction) return nothingToCompact(rt, row, 'too_little_to_reclaim');
  const prepared = await usablePrepared(rt, await overdueApproved(rt, row));
  const put = prepared && (await putPreparedInPlace(rt, row, prepared));
  if (put) return put;
  const request = row.request === null ? null : (JSON.parse(row.request) as CompactionRequest);
  const planned = await inSpan('plan', {}, () => planFold(rt, row, { request }));
  const { plan, settings, instructions, prior, kept } = planned;
  if (plan.kind === 'nothing') {
    const isOver = row.liveTokens >= Math.min(settings.budget.trigger, row.triggerTokens);
    const stuck = isOver && request === null && !plan.untilNext;
    return stuck ? park(rt, row, 'irreducible', null) : nothingToCompact(rt, row, plan.reason);
  }
  if (kept) return keepSummary(rt, row, { plan, settings, instructions, kept });
  const range = { row, plan, settings, prior, instructions, spending, signal: lease.signal };
  progress({ step: 'summarizing', attempt: row.attempt, from_seq: plan.fromSeq, to_seq: plan.toSeq });
  return summarizeAndCommit(rt, range, planned);
}

async function summarizeAndCommit(
  rt: Runtime,
  range: RangeToSummarize,
  { newChain, restoredFrom }: FoldPlan,
): Promise<Outcome> {
  const { row, plan, settings, instructions } = range;
  reached('compaction.read');
  const summary = await inSpan('summarize', {}, () => summarizeWithFallback(rt, range));
  // Whoever requests a compaction may approve one.
  const isProposed = settings.policy.summary.apply === 'on_approval' && row.request === null;
  if (isProposed && !isOverdue(row)) return propose(rt, range, summary, newChain);
  const made = { plan, settings, summary, instructions, newChain, restoredFrom };
  return putInPlace(rt, row, { ...made, failure: summary.failure });
}

/** A thread that is half-way from its trigger to its limit does not wait for an approval, as decide-proposal.ts says. */
const isOverdue = ({ liveTokens, triggerTokens, limitTokens }: ThreadRow): boolean =>
  liveTokens >= Math.trunc((triggerTokens + limitTokens) / 2);

/** A claimed thread whose proposal waited too long, with the proposal approved; any other as it is. */
async function overdueApproved(rt: Runtime, row: ThreadRow): Promise<ThreadRow> {
  if (row.preparedState !== 'proposed' || row.request !== null || !isOverdue(row)) return row;
  const of = { projectId: row.projectId, threadId: row.id, generation: row.preparedGeneration };
  return (await approveProposal(rt.store.query, of)) ? { ...row, preparedState: 'prepared' } : row;
}

async function propose(
  rt: Runtime,
  range: RangeToSummarize,
  summary: SummaryWithFallback,
  newChain: boolean,
): Promise<Outcome> {
  const { row, plan } = range;
  const stored = await storePrepared(rt, range, summary, { state: 'proposed', newChain });
  if (!stored) return overtaken(rt, row);
  countAttempt(rt, 'proposed');
  return done({
    generation: stored.generation,
    from_seq: plan.fromSeq,
    to_seq: plan.toSeq,
    tokens_before: row.liveTokens,
    tokens_after: null,
    method: summary.method,
  });
}
