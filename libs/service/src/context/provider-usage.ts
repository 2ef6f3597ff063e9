import type { ModelUsage } from '@spillway/engine';

/**
 * The tokens of the whole request, from the usage object of a provider as it came. Null when none of these forms is
 * recognized:
 * - OpenAI chat: `prompt_tokens`, cached ones included.
 * - OpenAI Responses, and what Spillway itself documents: `input_tokens`, cached ones included.
 * - Anthropic: `input_tokens` without the cached ones, which stand beside it as `cache_read_input_tokens` and
 *   `cache_creation_input_tokens`.
 * - AI SDK: `inputTokens`, cached ones included.
 */
export function inputTokensOf(usage: unknown): number | null {
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return null;
  const held = usage as Record<string, unknown>;
  const uncached = tokensIn(held.input_tokens);
  if (uncached !== null) {
    const read = tokensIn(held.cache_read_input_tokens) ?? 0;
    const written = tokensIn(held.cache_creation_input_tokens) ?? 0;
    return uncached + read + written;
  }
  return tokensIn(held.prompt_tokens) ?? tokensIn(held.inputTokens);
}

/** What a call took, from the usage object of a provider as it came; null when `inputTokensOf` does not know it. */
export function modelUsageOf(usage: unknown): ModelUsage | null {
  const inputTokens = inputTokensOf(usage);
  if (inputTokens === null) return null;
  const held = usage as Record<string, unknown>;
  const details = (held.prompt_tokens_details ?? held.input_tokens_details) as
    { cached_tokens?: unknown } | null | undefined;
  return {
    inputTokens,
    outputTokens:
      tokensIn(held.completion_tokens) ?? tokensIn(held.output_tokens) ?? tokensIn(held.outputTokens) ?? 0,
    cachedInputTokens:
      tokensIn(held.cache_read_input_tokens) ??
      tokensIn(details?.cached_tokens) ??
      tokensIn(held.cachedInputTokens) ??
      0,
  };
}

/** No call takes more: a larger number is a defect of an upstream, and a sum of them would leave the counters' range. */
const maxTokens = 1_000_000_000;

const tokensIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens ? value : null;

/** The context that a usage object belongs to, if it names one. */
export function fingerprintIn(usage: unknown): string | null {
  const named =
    typeof usage === 'object' && usage !== null && (usage as { fingerprint?: unknown }).fingerprint;
  return typeof named === 'string' ? named : null;
}
