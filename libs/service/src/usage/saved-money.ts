import { costOf, priceOf, type ModelPrice, type ModelUsage } from '@spillway/engine';

/** Money of the threads of one model, in one range. */
export interface ModelMoney {
  /** The threads' model; empty for threads without one. */
  model: string;
  tokensNotSent: number;
  inputPrice: number | null;
  savedUsd: number | null;
  /** Cost of summaries of these threads; null when one of their models has no price. */
  spentUsd: number | null;
  netUsd: number | null;
}

export interface SavedMoney {
  models: ModelMoney[];
  /** At the input price, of the threads whose model has one; null when no model has one. */
  savedUsd: number | null;
  /** As if the provider had read everything from its cache; null unless every priced model has such a price. */
  savedIfCachedUsd: number | null;
  /** Cost of summaries of the threads in `savedUsd`; null when one of them is unknown. */
  spentUsd: number | null;
  netUsd: number | null;
  netIfCachedUsd: number | null;
  /** Tokens not sent by threads whose model has no price; they are in no sum of money. */
  unpricedTokens: number;
  /** Models of threads and of summaries in this range without a price. */
  unpricedModels: string[];
}

export interface NotSentRow {
  model: string;
  tokensNotSent: number;
}

export interface SpentRow {
  /** The threads' model. */
  model: string;
  summaryModel: string;
  /** Of attempts that had a price at the time. */
  costUsd: number | null;
  /** Of attempts that had none. */
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
/** Null when one of them is unknown: the sum would be too small. */
const sumOfAll = (amounts: readonly (number | null)[]): number | null =>
  amounts.includes(null) ? null : (sumOfKnown(amounts) ?? 0);

/** Cost of one kind of summary. An attempt without its own price counts at the current price. */
function costOfRow({ summaryModel, costUsd, unpriced }: SpentRow, prices: Prices): number | null {
  if (unpriced.attempts === 0) return costUsd ?? 0;
  const today = costOf(unpriced, priceOf(summaryModel, prices));
  return today === null ? null : (costUsd ?? 0) + today;
}

/**
 * Saved money from saved tokens. Tokens not sent are worth the input price of the thread's model, or its cached price
 * as the lower bound, since the provider would have read most of a growing history from its cache. The cost of
 * summaries of the same threads in the same range is subtracted. Only models with a price count, on both sides.
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
