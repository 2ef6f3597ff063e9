import type { Usage, UsageNumbers } from '@spillway/service';

const numbersView = (n: UsageNumbers) => ({
  messages: n.messages,
  tokens_recorded: n.tokensRecorded,
  contexts: n.contexts,
  contexts_degraded: n.contextsDegraded,
  contexts_over_window: n.contextsOverWindow,
  tokens_sent: n.tokensSent,
  tokens_full: n.tokensFull,
  tokens_saved: n.tokensSaved,
  server_errors: n.serverErrors,
  compactions: {
    ok: n.compactions.ok,
    failed: n.compactions.failed,
    other: n.compactions.other,
    failed_by_reason: n.compactions.failedByReason,
    median_ms: n.compactions.medianMs,
    longest_ms: n.compactions.maxMs,
  },
  outputs: n.outputs,
  llm: {
    attempts: n.llm.attempts,
    input_tokens: n.llm.inputTokens,
    output_tokens: n.llm.outputTokens,
    cached_input_tokens: n.llm.cachedInputTokens,
    cost_usd: n.llm.costUsd,
    unpriced_attempts: n.llm.unpricedAttempts,
  },
  chat: {
    turns: n.chat.turns,
    input_tokens: n.chat.inputTokens,
    output_tokens: n.chat.outputTokens,
    cached_input_tokens: n.chat.cachedInputTokens,
    cost_usd: n.chat.costUsd,
    unpriced_turns: n.chat.unpricedTurns,
  },
});

/** Usage in API form. */
export const usageView = ({ from, to, bucket, totals, series, money }: Usage) => ({
  from: from.toISOString(),
  to: to.toISOString(),
  bucket,
  totals: numbersView(totals),
  series: series.map(({ at, ...numbers }) => ({ at: at.toISOString(), ...numbersView(numbers) })),
  money: {
    models: money.models.map((model) => ({
      model: model.model,
      tokens_not_sent: model.tokensNotSent,
      input_price: model.inputPrice,
      saved_usd: model.savedUsd,
      spent_usd: model.spentUsd,
      net_usd: model.netUsd,
    })),
    saved_usd: money.savedUsd,
    saved_if_cached_usd: money.savedIfCachedUsd,
    spent_usd: money.spentUsd,
    net_usd: money.netUsd,
    net_if_cached_usd: money.netIfCachedUsd,
    unpriced_tokens: money.unpricedTokens,
    unpriced_models: money.unpricedModels,
  },
});
