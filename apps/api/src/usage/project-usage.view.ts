import type { ProjectUsage } from '@spillway/service';

/** Figures of projects in API form. */
export const projectUsageView = ({ from, to, data, nextCursor }: ProjectUsage) => ({
  from: from.toISOString(),
  to: to.toISOString(),
  data: data.map((p) => ({
    id: p.id,
    name: p.name,
    suspended_at: p.suspendedAt?.toISOString() ?? null,
    compaction_paused_at: p.compactionPausedAt?.toISOString() ?? null,
    messages: p.messages,
    tokens_recorded: p.tokensRecorded,
    contexts: p.contexts,
    server_errors: p.serverErrors,
    llm: {
      attempts: p.summaryAttempts,
      input_tokens: p.summaryInputTokens,
      output_tokens: p.summaryOutputTokens,
      cached_input_tokens: p.summaryCachedInputTokens,
      cost_usd: costOf(p.summaryCostNanoUsd, p.summaryAttempts, p.summaryUnpricedAttempts),
      unpriced_attempts: p.summaryUnpricedAttempts,
    },
    chat: {
      turns: p.chatTurns,
      input_tokens: p.chatInputTokens,
      output_tokens: p.chatOutputTokens,
      cached_input_tokens: p.chatCachedInputTokens,
      cost_usd: costOf(p.chatCostNanoUsd, p.chatTurns, p.chatUnpricedTurns),
      unpriced_turns: p.chatUnpricedTurns,
    },
    threads: p.threads,
    output_bytes: p.outputBytes,
  })),
  next_cursor: nextCursor,
});

/** Null when there were calls and none had a price. */
const costOf = (nanoUsd: number, calls: number, unpriced: number): number | null =>
  calls > 0 && unpriced === calls ? null : nanoUsd / 1e9;
