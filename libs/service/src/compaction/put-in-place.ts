import { scoreOf, type CompactionPlan } from '@spillway/engine';
import { done, type Outcome } from '@spillway/jobs';
import { commit, type ThreadRow } from '@spillway/store';
import { archiveContext } from './archive-context.js';
import { calibrationToAdopt } from '../context/calibrate-thread.js';
import { reached } from '../crash-point.js';
import { countAttempt, overtaken } from './end-attempt.js';
import { hintCompaction } from './hint-compaction.js';
import { holdsColumn } from '../messages/holds.js';
import { writtenInstructions } from '../instructions/instruction-slot.js';
import type { ThreadInstructions } from '../instructions/thread-instructions.js';
import { planThread } from './plan-thread.js';
import type { ThreadSettings } from '../policies/settings.js';
import type { Runtime } from '../runtime.js';
import { completePrepared } from '../fidelity/complete-prepared.js';
import { callersBehind } from '../summaries/callers/callers-behind.js';
import { isTooLong, type RangeSummary } from '../summaries/draft-summary.js';
import { fidelityColumn, recallOfActive } from '../fidelity/fidelity.js';
import { discardPrepared, type Prepared } from '../summaries/prepared-summary.js';
import { weighThread } from '../threads/weigh-thread.js';
import { inSpan } from '../tracing/spans.js';

/** A finished summary and where it goes. */
export interface FinishedSummary {
  plan: CompactionPlan;
  settings: ThreadSettings;
  summary: RangeSummary;
  instructions: ThreadInstructions;
  /** It starts a chain: it covers again what the active summary covers. */
  newChain: boolean;
  /** The caller that wrote it; null, as by default, for a compaction. */
  author?: string | null;
  /** The caller's own summary that it puts in place again, or goes on from in a new chain. */
  restoredFrom?: number | null;
  /** Why code made it although the policy asks for a model. */
  failure?: string | null;
  /** Its generation, when it was prepared and not made just now. */
  prepared?: number | null;
}

/**
 * Makes a summary the active one, by compare-and-set against the claimed row: all of it, or nothing. Every summary
 * takes effect here, whether it was made just now, prepared or approved, so what it covers is archived here too.
 */
export async function putInPlace(
  rt: Runtime,
  row: ThreadRow,
  { plan, settings, summary, instructions, newChain, ...made }: FinishedSummary,
): Promise<Outcome> {
  const { author = null, restoredFrom = null, failure = null, prepared = null } = made;
  if (settings.policy.context.archive && !(await archiveContext(rt, row, plan)))
    return overtaken(rt, row, { counts: false, reason: 'lease_lost' });
  const adopted = await calibrationToAdopt(rt, row);
  const recall = await recallOfActive(rt, row);
  reached('compaction.called');
  const tokensAfter = plan.tokensKept + plan.separatorTokens + summary.tokens;
  const generation = {
    ...claimedState(row),
    prepared,
    newChain,
    fromSeq: plan.fromSeq,
    toSeq: plan.toSeq,
    carried: plan.carried,
    clearedThrough: plan.clearedThrough,
    holds: holdsColumn(plan.holds),
    fields: JSON.stringify(summary.fields),
    text: summary.text,
    summaryTokens: summary.tokens,
    tokensBefore: row.liveTokens,
    liveTokensAfter: plan.tokensKept + summary.tokens,
    tokensAfter,
    method: summary.method,
    model: summary.model,
    failure,
    author,
    restoredFrom,
    adopted,
    fidelity: fidelityColumn(summary.fidelity),
    seenSeq: summary.seenSeq,
    recall: recall && JSON.stringify(recall),
    ...writtenInstructions(instructions, plan, summary.slot),
  };
  const committed = await inSpan('commit generation', {}, () => commit(rt.store.query, generation));
  reached('compaction.committed');
  if (!committed) return overtaken(rt, row);
  countAttempt(rt, 'compacted', author === null ? null : 'caller');
  const { method } = summary;
  rt.metrics.observe('spillway_summary_fidelity_ratio', { method }, scoreOf(summary.fidelity));
  rt.metrics.add('spillway_compaction_folded_tokens_total', {}, Math.max(0, row.liveTokens - tokensAfter));
  if (committed.mustBeWeighed) await weighThread(rt, row.projectId, row.id);
  if (committed.stillDue) {
    hintCompaction(rt, { ...row, generation: committed.generation, state: 'due' });
  }
  return done({
    generation: committed.generation,
    from_seq: plan.fromSeq,
    to_seq: plan.toSeq,
    tokens_before: row.liveTokens,
    tokens_after: tokensAfter,
    method: summary.method,
  });
}

/** The thread as it was claimed, which the commit compares with the thread of then. */
const claimedState = (row: ThreadRow) => ({
  projectId: row.projectId,
  threadUid: row.uid,
  epoch: row.leaseEpoch,
  chain: row.chain,
  generation: row.generation,
  coveredThrough: row.coveredThrough,
  contentVersion: row.contentVersion,
  request: row.request,
  liveTokensAtClaim: row.liveTokens,
  policyVersionAtClaim: row.policyVersion,
  weighedVersionAtClaim: row.weighedVersion,
});

/**
 * Puts a prepared summary in place. Its cut stays where it was; carried messages, cleared results and standing
 * instructions are those of now, and what the agent used meanwhile is among its facts. Undefined, and the summary is
 * void, when it would no longer make the context smaller.
 */
export async function putPreparedInPlace(
  rt: Runtime,
  row: ThreadRow,
  prepared: Prepared,
): Promise<Outcome | undefined> {
  const { newChain, generation, toSeq, maxTokens } = prepared;
  const { plan, settings, instructions } = await planThread(rt, row, { rebuild: newChain, cut: { toSeq } });
  if (plan.kind === 'nothing') {
    await discardPrepared(rt, row);
    return undefined;
  }
  reached('compaction.read');
  const summary = await completePrepared(rt, row, prepared, { plan, settings, instructions });
  if (isTooLong(summary.tokens, plan, maxTokens)) {
    await discardPrepared(rt, row);
    return undefined;
  }
  // What it was made from has not changed since, or it would be void.
  const restoredFrom = newChain ? ((await callersBehind(rt, row))?.generation ?? null) : null;
  const made = { plan, settings, summary, instructions, newChain, restoredFrom };
  return putInPlace(rt, row, { ...made, prepared: generation });
}
