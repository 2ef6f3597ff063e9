import type { CompactionPreview } from '@spillway/service';
import { compactionView } from '../threads/thread.view.js';

/** A preview in API form. */
export function previewView({
  result,
  reason,
  thread,
  settings,
  startsOver,
  prepareTokens,
  cut,
}: CompactionPreview) {
  const { budget, policy } = settings;
  return {
    result,
    reason,
    compaction: compactionView(thread),
    last_seq: thread.headSeq,
    leading_through: thread.leadingThrough,
    tokens_before: thread.liveTokens,
    context_window: budget.contextWindow,
    limit_tokens: budget.limit,
    trigger_tokens: budget.trigger,
    prepare_tokens: prepareTokens,
    cut: cut && cutView(cut, startsOver, settings),
    policy,
  };
}

function cutView(
  { plan, kept, summarized, clearedResults, prepared, summarizer }: NonNullable<CompactionPreview['cut']>,
  startsOver: boolean,
  { budget, policy }: CompactionPreview['settings'],
) {
  const tokensKept = plan.tokensKept + plan.separatorTokens;
  const summaryTokens = plan.summaryTokens + plan.instructionTokens;
  const reclaimed = plan.tokensBefore - tokensKept - summaryTokens;
  return {
    from_seq: plan.fromSeq,
    to_seq: plan.toSeq,
    starts_over: startsOver,
    prepared_generation: prepared,
    carried: plan.carried,
    summarized,
    kept: { from_seq: kept.fromSeq, messages: kept.messages, turns: kept.turns },
    tokens_kept: tokensKept,
    summary_tokens: plan.summaryTokens,
    instruction_tokens: plan.instructionTokens,
    tokens_after: tokensKept + summaryTokens,
    reclaimed_share: reclaimed / budget.trigger,
    min_reclaim_ratio: policy.context.min_reclaim_ratio,
    cleared_results: clearedResults,
    summarizer: {
      provider: summarizer.provider,
      model: summarizer.model,
      calls: summarizer.calls,
      input_tokens: summarizer.inputTokens,
    },
  };
}
