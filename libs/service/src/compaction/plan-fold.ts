import type { CompactionPlan, PolicyInput, SummaryFields } from '@spillway/engine';
import { readPrepared, type CallersSummary, type ThreadRow } from '@spillway/store';
import { planThread, type PlanRequest, type ThreadPlan } from './plan-thread.js';
import type { Runtime } from '../runtime.js';
import { callersBehind } from '../summaries/callers/callers-behind.js';
import { refuseLocked, setsNothing } from '../policies/policy-locks.js';
import { refuseBadPolicy } from '../policies/policy-problems.js';
import { isFallbackSummary } from '../summaries/fallback-summary.js';
import { holdsUnderSettings } from '../summaries/prepared-summary.js';
import { priorFields } from '../summaries/summarize-range.js';

/** A plan, and what its summary builds on. */
export interface FoldPlan extends ThreadPlan {
  /** It starts a chain: it covers again what the active summary covers. */
  newChain: boolean;
  /** The fields of the earlier summary that the new one folds in; null without any. */
  prior: SummaryFields | null;
  /** The caller's own summary that a new chain goes on from; null without one. */
  restoredFrom: number | null;
  /** That summary, where it is put in place as it is and nothing is summarized; null otherwise. */
  kept: CallersSummary | null;
}

type How = Pick<PlanRequest, 'request' | 'cut'>;

/**
 * What a compaction would do now. It builds on the active summary. A rebuild that somebody requested builds on the
 * messages alone, and so do the fold after a fallback summary and the one after a withdrawal, with one difference: what
 * a caller wrote stays.
 */
export async function planFold(
  rt: Runtime,
  row: ThreadRow,
  { request = null, cut = 'now' }: How,
): Promise<FoldPlan> {
  const how = { request, cut };
  const isRebuild = request?.kind === 'rebuild';
  if (isRebuild || row.generation === 0 || (await isFallbackSummary(rt, row))) {
    const callers = await callersBehind(rt, row);
    const anew = callers ? await planOnto(rt, row, callers, how) : await planAlone(rt, row, how);
    if (anew) return anew;
  }
  const planned = await planThread(rt, row, { ...how, rebuild: false });
  const prior = planned.plan.kind === 'compact' ? await priorFields(rt, row) : null;
  return { ...planned, newChain: false, prior, restoredFrom: null, kept: null };
}

/** The plan of a summary of the messages alone. A thread without a summary has a chain to begin already. */
async function planAlone(rt: Runtime, row: ThreadRow, how: How): Promise<FoldPlan> {
  const planned = await planThread(rt, row, { ...how, rebuild: true });
  return { ...planned, newChain: row.generation > 0, prior: null, restoredFrom: null, kept: null };
}

/**
 * The plan of a summary that goes on from a caller's own and reads the messages after that one, because no message says
 * what a caller wrote. Like that summary it stands for the messages from 1 on. A caller's summary that is the active
 * one, or was until what was folded onto it was withdrawn, is kept as it is, unless somebody requested a compaction. It
 * is kept too where no message after it can be summarized, except in place of a fallback: then undefined.
 */
async function planOnto(
  rt: Runtime,
  row: ThreadRow,
  callers: CallersSummary,
  how: How,
): Promise<FoldPlan | undefined> {
  const made = { newChain: true, prior: JSON.parse(callers.fields) as SummaryFields };
  const keep = async (): Promise<FoldPlan> => {
    const cut = { toSeq: callers.toSeq, isWritten: true };
    const planned = await planThread(rt, row, { ...how, rebuild: true, cut });
    return { ...planned, ...made, restoredFrom: callers.generation, kept: callers };
  };
  const wasActive = row.generation === 0 || row.generation === callers.generation;
  const kept = wasActive && how.request?.kind !== 'manual' ? await keep() : undefined;
  if (kept?.plan.kind === 'compact') return kept;
  const planned = await planThread(rt, row, { ...how, rebuild: true });
  const plan = planned.plan.kind === 'compact' ? readingAfter(planned.plan, callers.toSeq) : planned.plan;
  if (plan.kind === 'compact' && plan.summarize.length > 0)
    return { ...planned, plan, ...made, restoredFrom: callers.generation, kept: null };
  if (wasActive || how.request?.kind === 'rebuild') return kept ?? keep();
  return plan.kind === 'nothing' ? { ...planned, ...made, restoredFrom: null, kept: null } : undefined;
}

const readingAfter = (plan: CompactionPlan, seq: number): CompactionPlan => ({
  ...plan,
  summarize: plan.summarize.filter((one) => one > seq),
});

/** What a compaction would do that is requested now. */
export interface RequestedPlan {
  result: 'would_compact' | 'below_trigger' | 'nothing_to_compact';
  planned: FoldPlan;
  /** The prepared generation that would be put in place; null when a summary would be made. */
  prepared: number | null;
}

/**
 * Plans a compaction that somebody requests with these overrides, as the worker that takes the request will. Throws
 * `invalid_request` for a policy that is locked or invalid.
 */
export async function planRequested(
  rt: Runtime,
  thread: ThreadRow,
  policy: PolicyInput,
): Promise<RequestedPlan> {
  refuseLocked(rt, await rt.settings.project(thread.projectId, thread.settingsVersion), policy);
  const usable = setsNothing(policy) ? await planOfPrepared(rt, thread) : undefined;
  const found = usable ?? {
    planned: await planFold(rt, thread, { request: { kind: 'manual', policy } }),
    prepared: null,
  };
  const { plan, settings } = found.planned;
  refuseBadPolicy(settings, rt.summarizers);
  if (thread.liveTokens < settings.budget.trigger) return { ...found, result: 'below_trigger' };
  return { ...found, result: plan.kind === 'nothing' ? 'nothing_to_compact' : 'would_compact' };
}

/** A request without its own settings puts the prepared summary in place, where there is one: its cut stays. */
async function planOfPrepared(
  rt: Runtime,
  thread: ThreadRow,
): Promise<Omit<RequestedPlan, 'result'> | undefined> {
  if (thread.preparedState !== 'prepared') return undefined;
  const found = await readPrepared(rt.store.query, thread.projectId, thread.uid);
  if (found?.generation !== thread.preparedGeneration || !holdsUnderSettings(found, thread)) return undefined;
  const { newChain, toSeq, generation } = found;
  const planned = await planThread(rt, thread, { rebuild: newChain, cut: { toSeq } });
  if (planned.plan.kind === 'nothing') return undefined;
  return {
    planned: { ...planned, newChain, prior: null, restoredFrom: null, kept: null },
    prepared: generation,
  };
}
