import type { attemptsByBucket, countedByBucket, outputsByBucket } from '@spillway/store';

type Row<Read extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Read>>[number];
export type Counted = Row<typeof countedByBucket>;
export type Attempts = Row<typeof attemptsByBucket>;
export type Outputs = Row<typeof outputsByBucket>;

/** Usage of one bucket or of a whole range. */
export interface UsageNumbers {
  messages: number;
  tokensRecorded: number;
  contexts: number;
  contextsDegraded: number;
  contextsOverWindow: number;
  tokensSent: number;
  /** Tokens of full histories, each capped at its window. */
  tokensFull: number;
  tokensSaved: number;
  serverErrors: number;
  compactions: {
    ok: number;
    failed: number;
    other: number;
    failedByReason: Record<string, number>;
    medianMs: number | null;
    maxMs: number | null;
  };
  outputs: { count: number; bytes: number };
  llm: {
    attempts: number;
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens: number;
    /** Null when there were model calls and none had a price. */
    costUsd: number | null;
    unpricedAttempts: number;
  };
  /** Turns of /chat. */
  chat: {
    turns: number;
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens: number;
    /** Null when there were turns and none had a price. */
    costUsd: number | null;
    unpricedTurns: number;
  };
}

const wholeMs = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : Math.round(ms);

/** Missing rows are treated as 0. */
export function usageNumbers(
  counted: Counted | undefined,
  attempts: Attempts | undefined,
  outputs: Outputs | undefined,
  failedByReason: Record<string, number>,
): UsageNumbers {
  const tokensSent = counted?.tokensSent ?? 0;
  const tokensSaved = counted?.tokensNotSent ?? 0;
  const chatTurns = counted?.chatTurns ?? 0;
  const unpricedTurns = counted?.chatUnpricedTurns ?? 0;
  const askedModel = attempts?.askedModel ?? 0;
  return {
    messages: counted?.messages ?? 0,
    tokensRecorded: counted?.tokensRecorded ?? 0,
    contexts: counted?.contexts ?? 0,
    contextsDegraded: counted?.contextsDegraded ?? 0,
    contextsOverWindow: counted?.contextsOverWindow ?? 0,
    tokensSent,
    tokensFull: tokensSent + tokensSaved,
    tokensSaved,
    serverErrors: counted?.serverErrors ?? 0,
    compactions: {
      ok: attempts?.ok ?? 0,
      failed: attempts?.failed ?? 0,
      other: attempts?.other ?? 0,
      failedByReason,
      medianMs: wholeMs(attempts?.medianMs),
      maxMs: wholeMs(attempts?.maxMs),
    },
    outputs: { count: outputs?.count ?? 0, bytes: outputs?.bytes ?? 0 },
    llm: {
      attempts: askedModel,
      inputTokens: attempts?.inputTokens ?? 0,
      outputTokens: attempts?.outputTokens ?? 0,
      cachedInputTokens: attempts?.cachedInputTokens ?? 0,
      costUsd: attempts?.costUsd ?? (askedModel === 0 ? 0 : null),
      unpricedAttempts: attempts?.unpriced ?? 0,
    },
    chat: {
      turns: chatTurns,
      inputTokens: counted?.chatInputTokens ?? 0,
      outputTokens: counted?.chatOutputTokens ?? 0,
      cachedInputTokens: counted?.chatCachedInputTokens ?? 0,
      costUsd: chatTurns > 0 && unpricedTurns === chatTurns ? null : (counted?.chatCostNanoUsd ?? 0) / 1e9,
      unpricedTurns,
    },
  };
}
