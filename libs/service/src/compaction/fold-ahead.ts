import { done, type Outcome } from '@spillway/jobs';
import type { FoldAhead, ThreadRow } from '@spillway/store';
import { reached } from '../crash-point.js';
import { countAttempt, nothingToCompact, overtaken } from './end-attempt.js';
import { hintCompaction } from './hint-compaction.js';
import type { Lease } from './lease.js';
import { planFold } from './plan-fold.js';
import { putInPlace, putPreparedInPlace } from './put-in-place.js';
import type { ThreadSettings } from '../policies/settings.js';
import type { Runtime } from '../runtime.js';
import { keepSummary } from '../summaries/callers/keep-summary.js';
import { summarizeWithFallback } from '../summaries/fallback-summary.js';
import { storePrepared, usablePrepared } from '../summaries/prepared-summary.js';
import type { Spending } from '../usage/spending.js';
import { isSpent, summaryBudget } from '../usage/day-budgets.js';

/**
 * When the next fold of a thread is made before its trigger. A model takes seconds, so it writes as soon as the thread
 * passes `prepare_ratio`. Code takes milliseconds: it would gain nothing, and folds ahead only a thread that is idle.
 */
export function whenFoldedAhead({ policy, budget }: Pick<ThreadSettings, 'policy' | 'budget'>): FoldAhead {
  const { idle_ms: idleMs } = policy.context;
  // What waits for an approval is proposed at the trigger.
  if (policy.summary.apply === 'on_approval') return { tokens: null, makeAfterMs: null, idleMs: null };
  const isModel = policy.summary.provider !== 'extractive';
  return { tokens: budget.prepare, makeAfterMs: isModel ? 0 : idleMs, idleMs };
}

/**
 * The work on a thread that is not due yet: prepares its next fold, or puts it in place because the thread is idle. A
 * fold that cannot be made now changes nothing: it is tried again later, at the latest at the trigger.
 */
export async function foldThreadAhead(
  rt: Runtime,
  row: ThreadRow,
  lease: Lease,
  spending: Spending,
): Promise<Outcome> {
  const prepared = await usablePrepared(rt, row);
  const put = prepared && (await putPreparedInPlace(rt, row, prepared));
  if (put) return put;
  const { policy, budget } = await rt.settings.ofRow(row);
  const { tokens } = whenFoldedAhead({ policy, budget });
  const isPast = policy.summary.enabled && tokens !== null && row.liveTokens >= tokens;
  if (!isPast || row.preparedGeneration !== 0) return nothingToCompact(rt, row, 'too_little_to_reclaim');
  // Code makes it at the trigger, or a model tomorrow.
  if (isSpent(await summaryBudget(rt, row.projectId, policy.summary)))
    return nothingToCompact(rt, row, 'too_little_to_reclaim');
  const isModel = policy.summary.provider !== 'extractive';
  const cut = isModel ? 'ahead' : 'now';
  const { plan, settings, instructions, prior, kept, newChain, restoredFrom } = await planFold(rt, row, {
    cut,
  });
  if (plan.kind === 'nothing') return nothingToCompact(rt, row, 'too_little_to_reclaim');
  if (kept) return keepSummary(rt, row, { plan, settings, instructions, kept });
  reached('compaction.read');
  const range = { row, plan, settings, prior, instructions, spending, signal: lease.signal };
  const summary = await summarizeWithFallback(rt, range);
  if (!isModel) return putInPlace(rt, row, { plan, settings, summary, instructions, newChain, restoredFrom });
  const stored = await storePrepared(rt, range, summary, { state: 'prepared', newChain });
  if (!stored) return overtaken(rt, row, { counts: false });
  countAttempt(rt, 'prepared');
  if (stored.stillDue) hintCompaction(rt, { ...row, state: 'due' });
  return done({ prepared: stored.generation, from_seq: plan.fromSeq, to_seq: plan.toSeq });
}
