import type { Policy } from '@spillway/engine';
import { approachCount, isProviderTrouble, SummarizerError } from '@spillway/llm';
import { failureBefore, failureBehind, readThreadWithSummary, type ThreadRow } from '@spillway/store';
import type { RangeToSummarize } from './range-to-summarize.js';
import type { Runtime } from '../runtime.js';
import type { RangeSummary } from './draft-summary.js';
import { isSpent, summaryBudget } from '../usage/day-budgets.js';
import { summarizeRange } from './summarize-range.js';

/** A thread of this many windows is shortened with or without a model. */
const maxWindows = 4;

/** Failures that the messages themselves cause: asked for the same messages, the model fails again. */
const failuresOfContent: ReadonlySet<string> = new Set(['too_long', 'refused', 'invalid_answer']);

/** A summary, and why code made it. */
export interface SummaryWithFallback extends RangeSummary {
  /** How the model failed, where code made the summary for that reason; else null. Its attempt records it. */
  failure: string | null;
}

/**
 * A summary by the policy's model, with the extractive summarizer as a fallback: when no model could make one for too
 * long, when no approach gave a usable answer, when the model refuses, or when the tokens of the day are spent. The next
 * compaction with a working model replaces it from the original messages, unless these are why the model failed: then
 * it would fail again.
 */
export async function summarizeWithFallback(
  rt: Runtime,
  range: RangeToSummarize,
): Promise<SummaryWithFallback> {
  const { projectId, uid: threadUid, leaseEpoch: epoch } = range.row;
  const { summary } = range.settings.policy;
  const { provider, extractive_after_ms: extractiveAfterMs } = summary;
  if (isSpent(await summaryBudget(rt, projectId, summary))) {
    rt.metrics.add('spillway_summaries_over_budget_total', {});
    return byCode(rt, range, null);
  }
  if (provider === 'extractive' || extractiveAfterMs === null)
    return { ...(await summarizeRange(rt, range)), failure: null };
  if ((range.row.waitedMs ?? 0) >= extractiveAfterMs)
    return byCode(rt, range, await failureBefore(rt.store.query, { projectId, threadUid, epoch }));
  try {
    return { ...(await summarizeRange(rt, range)), failure: null };
  } catch (error) {
    if (!(error instanceof SummarizerError) || !mayFallBack(error, range)) throw error;
    rt.log.warn(
      { thread: range.row.uid, failure: error.failure },
      'the extractive summarizer makes a fallback summary',
    );
    return byCode(rt, range, error.failure);
  }
}

const byCode = async (
  rt: Runtime,
  range: RangeToSummarize,
  failure: string | null,
): Promise<SummaryWithFallback> => ({ ...(await summarizeRange(rt, extractively(range))), failure });

function mayFallBack({ failure }: SummarizerError, { row, settings }: RangeToSummarize): boolean {
  if (failure === 'refused') return row.attempt >= 2;
  if (failure === 'invalid_answer' || failure === 'too_long' || failure === 'rejected')
    return row.attempt >= approachCount;
  return isProviderTrouble(failure) && row.liveTokens > maxWindows * settings.budget.contextWindow;
}

/** The same range for the extractive summarizer, which uses its own form. */
function extractively(range: RangeToSummarize): RangeToSummarize {
  const { settings } = range;
  const summary: Policy['summary'] = {
    ...settings.policy.summary,
    provider: 'extractive',
    input: 'transcript',
    schema: null,
    template: null,
  };
  return { ...range, settings: { ...settings, policy: { ...settings.policy, summary } } };
}

/**
 * Whether the active summary is a fallback, while the policy asks for a model that may be called. It is not folded into
 * the next one. One that the messages caused is: a model that could not summarize them would be sent them again, all
 * those before them too, with every further fold.
 */
export async function isFallbackSummary(rt: Runtime, row: ThreadRow): Promise<boolean> {
  if (row.generation === 0) return false;
  const { policy } = await rt.settings.ofRow(row);
  if (policy.summary.provider === 'extractive') return false;
  const active = await readThreadWithSummary(rt.store.query, row.projectId, row.id);
  if (active?.sMethod !== 'extractive') return false;
  const { projectId, uid: threadUid, generation } = row;
  const failure = await failureBehind(rt.store.query, { projectId, threadUid, generation });
  if (failure !== null && failuresOfContent.has(failure)) return false;
  return !isSpent(await summaryBudget(rt, row.projectId, policy.summary));
}
