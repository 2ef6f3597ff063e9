import { expect, test } from 'vitest';
import { savedMoney, type SpentRow } from './saved-money.js';

const prices = {
  a: { input: 2, output: 8, cachedInput: 0.2 },
  b: { input: 1, output: 4, cachedInput: null },
};
const none = { attempts: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
const spent = (row: Partial<SpentRow>): SpentRow => ({
  model: 'a',
  summaryModel: 'b',
  costUsd: null,
  unpriced: none,
  ...row,
});

test('what was not sent is worth its price, less what the summaries cost', () => {
  const money = savedMoney([{ model: 'a', tokensNotSent: 3_000_000 }], [spent({ costUsd: 1.5 })], prices);
  expect(money).toMatchObject({ savedUsd: 6, spentUsd: 1.5, netUsd: 4.5, unpricedTokens: 0 });
  expect(money.models).toMatchObject([{ model: 'a', savedUsd: 6, spentUsd: 1.5, netUsd: 4.5 }]);
  expect(money.savedIfCachedUsd).toBeCloseTo(0.6);
  expect(money.netIfCachedUsd).toBeCloseTo(-0.9);
});

test('without a price of cached input there is no lower bound, and none is made up', () => {
  const rows = [
    { model: 'a', tokensNotSent: 1_000_000 },
    { model: 'b', tokensNotSent: 1_000_000 },
  ];
  expect(savedMoney(rows, [], prices)).toMatchObject({ savedUsd: 3, savedIfCachedUsd: null });
});

test('threads without a priced model are named by their tokens and not by money', () => {
  const rows = [
    { model: '', tokensNotSent: 5 },
    { model: 'c', tokensNotSent: 7 },
  ];
  expect(savedMoney(rows, [], prices)).toMatchObject({
    savedUsd: null,
    netUsd: null,
    unpricedTokens: 12,
    unpricedModels: ['c'],
  });
});

test('the net has the same threads on both sides', () => {
  const notSent = [
    { model: 'a', tokensNotSent: 1_000_000 },
    { model: 'c', tokensNotSent: 1_000_000 },
  ];
  const rows = [spent({ costUsd: 0.5 }), spent({ model: 'c', costUsd: 100 })];
  expect(savedMoney(notSent, rows, prices)).toMatchObject({ savedUsd: 2, spentUsd: 0.5, netUsd: 1.5 });
});

test('an attempt without a price of its own counts at the price of today', () => {
  const unpriced = { attempts: 2, inputTokens: 1_000_000, outputTokens: 500_000, cachedInputTokens: 0 };
  const money = savedMoney(
    [{ model: 'a', tokensNotSent: 4_000_000 }],
    [spent({ costUsd: 1, unpriced })],
    prices,
  );
  expect(money).toMatchObject({ savedUsd: 8, spentUsd: 4, netUsd: 4 });
});

test('when the cost of one summary is not known, neither is the net, and its model is named', () => {
  const unpriced = { attempts: 1, inputTokens: 10, outputTokens: 10, cachedInputTokens: 0 };
  const money = savedMoney(
    [{ model: 'b', tokensNotSent: 1_000_000 }],
    [spent({ model: 'b', costUsd: 0.01 }), spent({ model: 'b', summaryModel: 'mini', unpriced })],
    prices,
  );
  expect(money).toMatchObject({ savedUsd: 1, spentUsd: null, netUsd: null, unpricedModels: ['mini'] });
});
