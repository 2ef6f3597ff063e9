import { done, noProgress, skipped, type Outcome, type ReportProgress } from '@spillway/jobs';
import { asProject, claim, commit, type CompactionRequest, type ThreadRow } from '@spillway/store';
import { archiveContext } from './archive-context.js';
import { calibrationToAdopt } from '../context/calibrate-thread.js';
import { reached } from '../crash-point.js';
import { attemptFailed, park, report } from './end-attempt.js';
import { hintCompaction } from './hint-compaction.js';
import { writtenInstructions } from '../instructions/instruction-slot.js';
import { holdLease, type Lease } from './lease.js';
import { planThread } from './plan-thread.js';
import type { RangeToSummarize } from '../summaries/range-to-summarize.js';
import { maxLostAttempts } from './retry-rules.js';
import type { Runtime } from '../runtime.js';
import { Spending } from '../usage/spending.js';
import { isFallbackSummary, summarizeWithFallback } from '../summaries/fallback-summary.js';
import { priorFields } from '../summaries/summarize-range.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';

/**
 * One compaction: claim, plan, summarize outside any transaction, commit by compare-and-set. Whatever fails in between,
 * the thread is due again when the lease expires, and at most one commit wins.
 */
export function compactThread(
  rt: Runtime,
  of: { projectId: string; threadId: string },
  progress: ReportProgress = noProgress,
): Promise<Outcome> {
  return asProject(of.projectId, 'service', () => compact(rt, of, progress));
}

async function compact(
  rt: Runtime,
  { projectId, threadId }: { projectId: string; threadId: string },
  progress: ReportProgress,
): Promise<Outcome> {
  if (rt.draining.aborted) return skipped('shutting_down');
  const row = await claim(rt.store.query, { projectId, threadId, owner: rt.owner, leaseMs: rt.leaseMs });
  if (!row) return skipped('not_due');
  reached('compaction.claimed');
  const lease = holdLease(rt, row);
  const spending = new Spending();
  try {
    return await compactClaimed(rt, row, lease, spending, progress);
  } catch (error) {
    return await attemptFailed(rt, row, error, lease);
  } finally {
    lease.release();
    await spending.record(rt, row);
  }
}

async function compactClaimed(
  rt: Runtime,
  claimed: ThreadRow,
  lease: Lease,
  spending: Spending,
  progress: ReportProgress,
): Promise<Outcome> {
  const weighed = isWeighed(claimed) ? undefined : await weighThread(rt, claimed.projectId, claimed.id);
  if (weighed && weighed.leaseEpoch !== claimed.leaseEpoch) return skipped('lease_lost');
  const row = weighed ?? claimed;
  if (weighed && !weighed.needsCompaction) {
    await report(rt, row, { outcome: 'nothing_to_compact', reason: 'too_little_to_reclaim', then: 'idle' });
    return skipped('too_little_to_reclaim');
  }
  if (row.lostAttempts > maxLostAttempts)
    return park(rt, row, 'poison', 'Its last attempts never reported back.');
  const request = row.request === null ? null : (JSON.parse(row.request) as CompactionRequest);
  const rebuild = request?.kind === 'rebuild' || (await isFallbackSummary(rt, row));
  const { plan, settings, instructions } = await planThread(rt, row, request, rebuild);
  if (plan.kind === 'nothing') {
    const stuck = request === null && row.liveTokens >= Math.min(settings.budget.trigger, row.triggerTokens);
    if (stuck) return park(rt, row, 'irreducible', null);
    await report(rt, row, { outcome: 'nothing_to_compact', reason: plan.reason, then: 'idle' });
    return skipped(plan.reason);
  }
  const prior = rebuild ? null : await priorFields(rt, row);
  const range = { row, plan, settings, prior, instructions, spending, signal: lease.signal };
  progress({ step: 'summarizing', attempt: row.attempt, from_seq: plan.fromSeq, to_seq: plan.toSeq });
  return summarizeAndCommit(rt, range, rebuild);
}

async function summarizeAndCommit(rt: Runtime, range: RangeToSummarize, rebuild: boolean): Promise<Outcome> {
  const { row, plan, settings } = range;
  reached('compaction.read');
  const summary = await summarizeWithFallback(rt, range);
  if (settings.policy.context.archive) await archiveContext(rt, row, plan);
  const adopted = await calibrationToAdopt(rt, row);
  reached('compaction.called');
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
    policyVersionAtClaim: row.policyVersion,
    weighedVersionAtClaim: row.weighedVersion,
    liveTokensAfter: plan.tokensKept + summary.tokens,
    tokensAfter: plan.tokensKept + plan.separatorTokens + summary.tokens,
    method: summary.method,
    model: summary.model,
    adopted,
    ...writtenInstructions(range.instructions, plan, summary.slot),
  });
  reached('compaction.committed');
  if (!committed) {
    await report(rt, row, { outcome: 'lost_cas', then: null });
    return skipped('lost_cas');
  }
  if (committed.mustBeWeighed) await weighThread(rt, row.projectId, row.id);
  if (committed.stillDue) {
    hintCompaction(rt, { ...row, generation: committed.generation, state: 'due' });
  }
  return done({
    generation: committed.generation,
    from_seq: plan.fromSeq,
    to_seq: plan.toSeq,
    tokens_before: row.liveTokens,
    tokens_after: plan.tokensKept + plan.separatorTokens + summary.tokens,
    method: summary.method,
  });
}
