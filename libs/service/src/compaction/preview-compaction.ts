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
import { planThread, type ThreadPlan } from './plan-thread.js';
import type { Runtime } from '../runtime.js';
import { refuseBadPolicy, type ThreadSettings } from '../policies/settings.js';
import { isFallbackSummary } from '../summaries/fallback-summary.js';

export interface CompactionPreview {
  result: 'would_compact' | 'below_trigger' | 'nothing_to_compact';
  /** Why the plan cuts nothing. */
  reason: 'nothing_to_cut' | 'too_little_to_reclaim' | null;
  thread: ThreadRow;
  settings: ThreadSettings;
  /** The active summary is a fallback summary: the range starts over from message 1. */
  startsOver: boolean;
  /** Null when nothing would happen. */
  cut: CompactionCut | null;
}

export interface CompactionCut {
  plan: CompactionPlan;
  kept: { fromSeq: number | null; messages: number; turns: number };
  /** Messages that the summarizer reads, and their tokens. */
  summarized: { messages: number; tokens: number };
  clearedResults: number;
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
  const startsOver = await isFallbackSummary(rt, thread);
  const planned = await planThread(rt, thread, { kind: 'manual', policy }, startsOver);
  const { plan, settings } = planned;
  refuseBadPolicy(settings, rt.summarizers);
  const isDue = thread.liveTokens >= settings.budget.trigger;
  const result = !isDue ? 'below_trigger' : plan.kind === 'nothing' ? 'nothing_to_compact' : 'would_compact';
  return {
    result,
    reason: isDue && plan.kind === 'nothing' ? plan.reason : null,
    thread,
    settings,
    startsOver,
    cut: isDue && plan.kind === 'compact' ? cutOf(rt, thread, planned, plan) : null,
  };
}

function cutOf(
  rt: Runtime,
  thread: ThreadRow,
  { settings, entries }: ThreadPlan,
  plan: CompactionPlan,
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
    summarizer: {
      provider: summary.provider,
      model: isExtractive ? null : (summary.model ?? rt.summaryModel),
      ...(isExtractive
        ? { calls: 0, inputTokens: 0 }
        : estimateInput(rt, { thread, settings, plan, tokens: read.map((entry) => entry.tokens) })),
    },
  };
}

function clearedAmong(plan: CompactionPlan, entries: readonly Entry[], maxImages: number): number {
  const carried = new Set(plan.carried);
  const shown = entries.filter((entry) => entry.seq > plan.toSeq || carried.has(entry.seq));
  const { reductions } = reduceEntries(shown, { maxImages, ...plan });
  return [...reductions.values()].filter(({ cleared }) => cleared).length;
}
