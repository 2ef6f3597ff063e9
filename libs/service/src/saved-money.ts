import { priceOf, type ModelPrice } from '@spillway/engine';

export interface SavedMoney {
  /** By the model of the threads; an empty name is a thread without one. */
  models: { model: string; tokensNotSent: number; inputPrice: number | null; savedUsd: number | null }[];
  /** At the price of fresh input; null when no model has one. */
  savedUsd: number | null;
  /** As if the provider had read all of it from its cache; null unless every priced model has such a price. */
  savedIfCachedUsd: number | null;
  spentUsd: number | null;
  netUsd: number | null;
  netIfCachedUsd: number | null;
  /** Tokens not sent by threads whose model has no price: money that is not in the sum. */
  unpricedTokens: number;
}

const million = 1_000_000;
const minus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b;
const total = (amounts: (number | null)[]): number | null => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
};

/**
 * Tokens saved are not money saved. What was not sent is worth the input price of the thread's model; less where the
 * provider would have read most of a growing history from its cache, so that price gives the lower bound. What the
 * summaries cost is taken off. Today's prices, and only of models that have one.
 */
export function savedMoney(
  rows: readonly { model: string; tokensNotSent: number }[],
  prices: Readonly<Record<string, ModelPrice>>,
  spentUsd: number | null,
): SavedMoney {
  const models = rows.map(({ model, tokensNotSent }) => {
    const price = priceOf(model, prices);
    const worth = (usd: number | null | undefined): number | null =>
      usd === null || usd === undefined ? null : (tokensNotSent * usd) / million;
    const savedUsd = worth(price?.input);
    return {
      model,
      tokensNotSent,
      inputPrice: price?.input ?? null,
      savedUsd,
      savedIfCachedUsd: savedUsd === null ? null : worth(price?.cachedInput),
    };
  });
  const priced = models.filter(({ savedUsd }) => savedUsd !== null);
  const savedUsd = total(priced.map((model) => model.savedUsd));
  const bounded = priced.every(({ savedIfCachedUsd }) => savedIfCachedUsd !== null);
  const savedIfCachedUsd = bounded ? total(priced.map((model) => model.savedIfCachedUsd)) : null;
  return {
    models: models.map(({ savedIfCachedUsd: _, ...model }) => model),
    savedUsd,
    savedIfCachedUsd,
    spentUsd,
    netUsd: minus(savedUsd, spentUsd),
    netIfCachedUsd: minus(savedIfCachedUsd, spentUsd),
    unpricedTokens: models.reduce((sum, m) => sum + (m.savedUsd === null ? m.tokensNotSent : 0), 0),
  };
}
