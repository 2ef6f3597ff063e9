import type { CompactionPlan, SummaryFields } from '@spillway/engine';
import { callersSummary, type ThreadRow } from '@spillway/store';
import { planThread, type PlanRequest, type ThreadPlan } from './plan-thread.js';
import type { Runtime } from '../runtime.js';
import { isFallbackSummary } from '../summaries/fallback-summary.js';
import { priorFields } from '../summaries/summarize-range.js';

/** A plan, and what its summary builds on. */
export interface FoldPlan extends ThreadPlan {
  /** It starts a chain: it covers again what the active summary covers. */
  newChain: boolean;
  /** The fields of the earlier summary that the new one folds in; null without any. */
  prior: SummaryFields | null;
}

/**
 * What a compaction would do now. It builds on the active summary. A rebuild that somebody requested builds on the
 * messages alone, and so does the fold after a fallback summary, with one difference: what a caller wrote stays.
 */
export async function planFold(
  rt: Runtime,
  row: ThreadRow,
  { request = null, cut = 'now' }: Pick<PlanRequest, 'request' | 'cut'>,
): Promise<FoldPlan> {
  if (request?.kind === 'rebuild') {
    const planned = await planThread(rt, row, { request, rebuild: true, cut });
    return { ...planned, newChain: true, prior: null };
  }
  const anew = (await isFallbackSummary(rt, row)) && (await planAnew(rt, row, { request, cut }));
  if (anew) return anew;
  const planned = await planThread(rt, row, { request, rebuild: false, cut });
  const prior = planned.plan.kind === 'compact' ? await priorFields(rt, row) : null;
  return { ...planned, newChain: false, prior };
}

/**
 * The plan of a summary in place of a fallback: from the messages, or from the newest summary of a caller before it and
 * the messages after that one, because no message says what a caller wrote. Like that summary it stands for the messages
 * from 1 on. Undefined when the cut lies within what the caller's summary covers.
 */
async function planAnew(
  rt: Runtime,
  row: ThreadRow,
  how: Pick<PlanRequest, 'request' | 'cut'>,
): Promise<FoldPlan | undefined> {
  const planned = await planThread(rt, row, { ...how, rebuild: true });
  const { projectId, uid: threadUid, generation } = row;
  const callers = await callersSummary(rt.store.query, { projectId, threadUid, generation });
  if (!callers || planned.plan.kind === 'nothing') return { ...planned, newChain: true, prior: null };
  const plan = readingAfter(planned.plan, callers.toSeq);
  const prior = JSON.parse(callers.fields) as SummaryFields;
  return plan.summarize.length === 0 ? undefined : { ...planned, plan, newChain: true, prior };
}

const readingAfter = (plan: CompactionPlan, seq: number): CompactionPlan => ({
  ...plan,
  summarize: plan.summarize.filter((one) => one > seq),
});
