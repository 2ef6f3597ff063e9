import {
  reduceEntries,
  type CompactionPlan,
  type Entry,
  type Policy,
  type PolicyInput,
} from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import { estimateInput } from '../summaries/estimate-input.js';
import { getThread } from '../threads/get-thread.js';
import { whenFoldedAhead } from './fold-ahead.js';
import { planRequested, type FoldPlan, type RequestedPlan } from './plan-fold.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';

export interface CompactionPreview {
  result: RequestedPlan['result'];
  /** Why the plan cuts nothing. */
  reason: 'nothing_to_cut' | 'too_little_to_reclaim' | null;
  thread: ThreadRow;
  settings: ThreadSettings;
  /** A model makes again what a fallback summary covers: the range starts over from message 1. */
  startsOver: boolean;
  /** Live tokens from which on a model writes the next summary ahead; null when none does. */
  prepareTokens: number | null;
  /** Null when nothing would happen. */
  cut: CompactionCut | null;
}

export interface CompactionCut {
  plan: CompactionPlan;
  kept: { fromSeq: number | null; messages: number; turns: number };
  /** Messages that the summarizer reads, and their tokens. */
  summarized: { messages: number; tokens: number };
  clearedResults: number;
  /** The prepared generation that would be put in place; null when a summary would be made. */
  prepared: number | null;
  summarizer: {
    provider: Policy['summary']['provider'];
    model: string | null;
    calls: number;
    inputTokens: number;
  };
}

/**
 * What a compaction requested now would do, by the plan that it would follow. Changes nothing. Throws what the request
 * would: `thread_not_found`, `invalid_request` for an invalid policy.
 */
export async function previewCompaction(
  rt: Runtime,
  projectId: string,
  threadId: string,
  policy: PolicyInput = {},
): Promise<CompactionPreview> {
  const thread = await getThread(rt, projectId, threadId);
  const { result, planned, prepared } = await planRequested(rt, thread, policy);
  const { plan, settings } = planned;
  return {
    result,
    reason: result === 'nothing_to_compact' && plan.kind === 'nothing' ? plan.reason : null,
    thread,
    settings,
    startsOver: planned.newChain,
    prepareTokens: preparesAt(settings),
    cut:
      result === 'would_compact' && plan.kind === 'compact'
        ? cutOf(rt, thread, { ...planned, plan, prepared })
        : null,
  };
}

function preparesAt(settings: ThreadSettings): number | null {
  const { tokens, makeAfterMs } = whenFoldedAhead(settings);
  return settings.policy.summary.enabled && makeAfterMs === 0 ? tokens : null;
}

function cutOf(
  rt: Runtime,
  thread: ThreadRow,
  {
    settings,
    entries,
    plan,
    prior,
    kept: own,
    prepared,
  }: FoldPlan & { plan: CompactionPlan; prepared: number | null },
): CompactionCut {
  const { summary, context } = settings.policy;
  const kept = entries.filter((entry) => entry.seq > plan.toSeq);
  const summarize = new Set(plan.summarize);
  const read = entries.filter((entry) => summarize.has(entry.seq));
  const tokens = read.reduce((sum, entry) => sum + entry.tokens, 0);
  const isExtractive = summary.provider === 'extractive';
  return {
    plan,
    kept: {
      fromSeq: kept[0]?.seq ?? null,
      messages: kept.length,
      turns: kept.filter((entry) => entry.role === 'user').length,
    },
    summarized: { messages: read.length, tokens },
    clearedResults: clearedAmong(plan, entries, context.max_images),
    prepared,
    summarizer: {
      provider: summary.provider,
      model: isExtractive ? null : (summary.model ?? rt.summaryModel),
      ...(isExtractive || prepared !== null || own !== null
        ? { calls: 0, inputTokens: 0 }
        : estimateInput(rt, {
            ...{ thread, settings, plan, tokens: read.map((entry) => entry.tokens) },
            hasPrior: prior !== null,
          })),
    },
  };
}

function clearedAmong(plan: CompactionPlan, entries: readonly Entry[], maxImages: number): number {
  const carried = new Set(plan.carried);
  const shown = entries.filter((entry) => entry.seq > plan.toSeq || carried.has(entry.seq));
  const { reductions } = reduceEntries(shown, { maxImages, ...plan });
  return [...reductions.values()].filter(({ cleared }) => cleared).length;
}
