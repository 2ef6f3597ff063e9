import { costOf, priceOf, type ModelPrice, type ModelUsage } from '@spillway/engine';

/** Money of the threads of one model, in one range. */
export interface ModelMoney {
  /** Of the threads; empty for those without one. */
  model: string;
  tokensNotSent: number;
  inputPrice: number | null;
  savedUsd: number | null;
  /** On summaries of these threads; null when one of the models that made them has no price. */
  spentUsd: number | null;
  netUsd: number | null;
}

export interface SavedMoney {
  models: ModelMoney[];
  /** At the price of fresh input, of the threads whose model has one; null when no model has one. */
  savedUsd: number | null;
  /** As if the provider had read all of it from its cache; null unless every priced model has such a price. */
  savedIfCachedUsd: number | null;
  /** On summaries of the threads that `savedUsd` is of; null when the cost of one of them is not known. */
  spentUsd: number | null;
  netUsd: number | null;
  netIfCachedUsd: number | null;
  /** Tokens not sent by threads whose model has no price: in no sum of money. */
  unpricedTokens: number;
  /** Models of threads and of summaries in this range that have no price. */
  unpricedModels: string[];
}

export interface NotSentRow {
  model: string;
  tokensNotSent: number;
}

export interface SpentRow {
  /** Of the threads. */
  model: string;
  summaryModel: string;
  /** Of the attempts that had a price then. */
  costUsd: number | null;
  /** The attempts that had none. */
  unpriced: ModelUsage & { attempts: number };
}

type Prices = Readonly<Record<string, ModelPrice>>;

const million = 1_000_000;
const minus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b;
const sumOfKnown = (amounts: readonly (number | null)[]): number | null => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
};
/** Null when one of them is not known: a sum without it would be too small. */
const sumOfAll = (amounts: readonly (number | null)[]): number | null =>
  amounts.includes(null) ? null : (sumOfKnown(amounts) ?? 0);

/** What one kind of summary cost. An attempt without a price of its own counts at the price of today. */
function costOfRow({ summaryModel, costUsd, unpriced }: SpentRow, prices: Prices): number | null {
  if (unpriced.attempts === 0) return costUsd ?? 0;
  const today = costOf(unpriced, priceOf(summaryModel, prices));
  return today === null ? null : (costUsd ?? 0) + today;
}

/**
 * Tokens saved are not money saved. What was not sent is worth the input price of the thread's model; less where the
 * provider would have read most of a growing history from its cache, so that price gives the lower bound. The cost of
 * the summaries of the same threads in the same range is subtracted. Only models with a price count, on both sides.
 */
export function savedMoney(
  notSent: readonly NotSentRow[],
  spent: readonly SpentRow[],
  prices: Prices,
): SavedMoney {
  const names = [...new Set([...notSent, ...spent].map(({ model }) => model))];
  const models = names.map((model) => {
    const price = priceOf(model, prices);
    const tokensNotSent = notSent.find((row) => row.model === model)?.tokensNotSent ?? 0;
    const worth = (usd: number | null | undefined): number | null =>
      usd === null || usd === undefined ? null : (tokensNotSent * usd) / million;
    const savedUsd = worth(price?.input);
    const spentUsd = sumOfAll(
      spent.filter((row) => row.model === model).map((row) => costOfRow(row, prices)),
    );
    return {
      model,
      tokensNotSent,
      inputPrice: price?.input ?? null,
      savedUsd,
      savedIfCachedUsd: savedUsd === null ? null : worth(price?.cachedInput),
      spentUsd,
      netUsd: minus(savedUsd, spentUsd),
    };
  });
  const priced = models.filter(({ savedUsd }) => savedUsd !== null);
  const savedUsd = sumOfKnown(priced.map((model) => model.savedUsd));
  const bounded = priced.every(({ savedIfCachedUsd }) => savedIfCachedUsd !== null);
  const savedIfCachedUsd = bounded ? sumOfKnown(priced.map((model) => model.savedIfCachedUsd)) : null;
  const spentUsd = sumOfAll(priced.map((model) => model.spentUsd));
  const unpricedModels = [
    ...models.filter(({ inputPrice }) => inputPrice === null).map(({ model }) => model),
    ...spent
      .filter((row) => row.unpriced.attempts > 0 && costOfRow(row, prices) === null)
      .map(({ summaryModel }) => summaryModel),
  ];
  return {
    models: models.map(({ savedIfCachedUsd: _, ...model }) => model),
    savedUsd,
    savedIfCachedUsd,
    spentUsd,
    netUsd: minus(savedUsd, spentUsd),
    netIfCachedUsd: minus(savedIfCachedUsd, spentUsd),
    unpricedTokens: models.reduce((sum, m) => sum + (m.savedUsd === null ? m.tokensNotSent : 0), 0),
    unpricedModels: [...new Set(unpricedModels)].filter((name) => name !== '').sort(),
  };
}
