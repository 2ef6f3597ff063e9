import { done, giveUp, retryLater, skipped, type Outcome, type Reason } from '@spillway/jobs';
import { SummarizerError } from '@spillway/llm';
import {
  claim,
  commit,
  finish,
  readThreadWithSummary,
  type CompactionRequest,
  type Finish,
  type ThreadRow,
} from '@spillway/store';
import type { CompactionPlan } from '@spillway/engine';
import { archiveContext } from './archive-context.js';
import { hintCompaction } from './hint-compaction.js';
import { holdLease, type Lease } from './lease.js';
import { planThread } from './plan-thread.js';
import { backoffMs, mostAttempts, mostLostAttempts } from './retry-rules.js';
import type { Runtime } from './runtime.js';
import type { ThreadSettings } from './settings.js';
import { priorFields, summarizeRange } from './summarize-range.js';

/**
 * One compaction: claim, plan, summarize outside any transaction, commit by compare-and-set. Whatever happens in
 * between, the thread is due again when the lease runs out, and at most one commit wins.
 */
export async function compactThread(
  rt: Runtime,
  { projectId, threadId }: { projectId: string; threadId: string },
): Promise<Outcome> {
  if (rt.draining.aborted) return skipped('shutting_down');
  const row = await claim(rt.store.query, { projectId, threadId, owner: rt.owner, leaseMs: rt.leaseMs });
  if (!row) return skipped('not_due');
  const lease = holdLease(rt, row);
  try {
    return await compactClaimed(rt, row, lease);
  } catch (error) {
    return await failed(rt, row, error, lease);
  } finally {
    lease.release();
  }
}

async function compactClaimed(rt: Runtime, row: ThreadRow, lease: Lease): Promise<Outcome> {
  if (row.lostAttempts > mostLostAttempts)
    return park(rt, row, 'poison', 'Its last attempts never reported back.');
  const request = row.request === null ? null : (JSON.parse(row.request) as CompactionRequest);
  const rebuild = request?.kind === 'rebuild' || (await isStandIn(rt, row));
  const { plan, settings } = await planThread(rt, row, request, rebuild);
  if (plan.kind === 'nothing') {
    const stuck = request === null && row.liveTokens >= settings.budget.trigger;
    if (stuck) return park(rt, row, 'irreducible', null);
    await report(rt, row, { outcome: 'nothing_to_compact', reason: plan.reason, then: 'idle' });
    return skipped(plan.reason);
  }
  return summarizeAndCommit(rt, row, lease, plan, settings, rebuild);
}

/**
 * Is the active summary one that code made while the policy wants a model's? Then it is no truth to fold: the
 * summary is made again from the messages themselves.
 */
async function isStandIn(rt: Runtime, row: ThreadRow): Promise<boolean> {
  if (row.generation === 0) return false;
  const { policy } = await rt.settings.ofRow(row);
  if (policy.summary.provider === 'extractive') return false;
  const active = await readThreadWithSummary(rt.store.query, row.projectId, row.id);
  return active?.sMethod === 'extractive';
}

async function summarizeAndCommit(
  rt: Runtime,
  row: ThreadRow,
  lease: Lease,
  plan: CompactionPlan,
  settings: ThreadSettings,
  rebuild: boolean,
): Promise<Outcome> {
  const prior = rebuild ? null : await priorFields(rt, row);
  const summary = await summarizeRange(rt, { row, plan, settings, prior, signal: lease.signal });
  if (settings.policy.context.archive && !rebuild) await archiveContext(rt, row, plan);
  const committed = await commit(rt.store.query, {
    projectId: row.projectId,
    threadUid: row.uid,
    epoch: row.leaseEpoch,
    chain: row.chain,
    generation: row.generation,
    coveredThrough: row.coveredThrough,
    contentVersion: row.contentVersion,
    request: row.request,
    newChain: rebuild,
    fromSeq: plan.fromSeq,
    toSeq: plan.toSeq,
    carried: plan.carried,
    clearedThrough: plan.clearedThrough,
    fields: JSON.stringify(summary.fields),
    text: summary.text,
    summaryTokens: summary.tokens,
    liveTokensAtClaim: row.liveTokens,
    tokensBefore: row.liveTokens,
    tokensAfter: plan.tokensKept + summary.tokens,
    method: summary.method,
    model: summary.model,
  });
  if (!committed) {
    await report(rt, row, { outcome: 'lost_cas', then: null });
    return skipped('lost_cas');
  }
  if (committed.stillDue) {
    hintCompaction(rt, { ...row, generation: committed.generation, state: 'due' });
  }
  return done({ generation: committed.generation, fromSeq: plan.fromSeq, toSeq: plan.toSeq });
}

async function failed(rt: Runtime, row: ThreadRow, error: unknown, lease: Lease): Promise<Outcome> {
  if (rt.draining.aborted) {
    await report(rt, row, { outcome: 'released', reason: 'shutting_down', then: null });
    return skipped('shutting_down');
  }
  if (lease.signal.aborted) return skipped('lease_lost');
  // Anything but a summarizer's failure is an outage or a defect: the lease runs out and the thread is due again.
  if (!(error instanceof SummarizerError)) throw error;
  rt.log.warn({ threadId: row.id, failure: error.failure, attempt: row.attempt }, error.message);
  if (error.failure === 'auth') return park(rt, row, 'auth', error.message);
  if (row.attempt >= mostAttempts) return park(rt, row, 'too_many_attempts', error.message);
  const ms = backoffMs(row.attempt, error.retryAfterMs, Math.random());
  await report(rt, row, {
    outcome: 'failed',
    reason: error.failure,
    error: error.message,
    then: { retryInMs: ms },
  });
  return retryLater(ms, 'summary_failed');
}

async function park(rt: Runtime, row: ThreadRow, reason: Reason, error: string | null): Promise<Outcome> {
  await report(rt, row, { outcome: 'parked', reason, error, then: { parkReason: reason } });
  return giveUp(reason);
}

const report = (rt: Runtime, row: ThreadRow, ended: Pick<Finish, 'outcome' | 'then'> & Partial<Finish>) =>
  finish(rt.store.query, {
    projectId: row.projectId,
    threadUid: row.uid,
    epoch: row.leaseEpoch,
    reason: null,
    error: null,
    nextSeq: row.nextSeq,
    request: row.request,
    ...ended,
  });
