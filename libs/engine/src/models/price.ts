import { own, spellings } from './context-window.js';

/** USD per million tokens, as an operator set them; null without a price. Spillway has no built-in prices. */
export interface ModelPrice {
  input: number | null;
  output: number | null;
  cachedInput: number | null;
}

/** Tokens of calls to a model, as its provider counted them. */
export interface ModelUsage {
  /** All input tokens, with those read from the provider's cache. */
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}

const million = 1_000_000;

/** A model's price, by the same spellings as its context window: as it is, without its prefix, without a date. */
export function priceOf(
  model: string | null,
  prices: Readonly<Record<string, ModelPrice>>,
): ModelPrice | undefined {
  if (model === null) return undefined;
  return spellings(model)
    .map((name) => own(prices, name))
    .find((price) => price !== undefined);
}

/**
 * USD for these tokens; null without a price for input and output. Cached input costs as much as input unless it has a
 * price.
 */
export function costOf(usage: ModelUsage, price: ModelPrice | undefined): number | null {
  if (!price || price.input === null || price.output === null) return null;
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const input = (usage.inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + usage.outputTokens * price.output) / million;
}
