import { expect, test } from 'vitest';
import { savedMoney } from './saved-money.js';

const prices = {
  a: { input: 2, output: 8, cachedInput: 0.2 },
  b: { input: 1, output: 4, cachedInput: null },
};

test('what was not sent is worth its price, less what the summaries cost', () => {
  const money = savedMoney([{ model: 'a', tokensNotSent: 3_000_000 }], prices, 1.5);
  expect(money).toMatchObject({ savedUsd: 6, spentUsd: 1.5, netUsd: 4.5, unpricedTokens: 0 });
  expect(money.savedIfCachedUsd).toBeCloseTo(0.6);
  expect(money.netIfCachedUsd).toBeCloseTo(-0.9);
});

test('without a price of cached input there is no lower bound, and none is made up', () => {
  const rows = [
    { model: 'a', tokensNotSent: 1_000_000 },
    { model: 'b', tokensNotSent: 1_000_000 },
  ];
  expect(savedMoney(rows, prices, 0)).toMatchObject({ savedUsd: 3, savedIfCachedUsd: null });
});

test('threads without a priced model are named by their tokens and not by money', () => {
  const rows = [
    { model: '', tokensNotSent: 5 },
    { model: 'c', tokensNotSent: 7 },
  ];
  expect(savedMoney(rows, prices, 0)).toMatchObject({ savedUsd: null, netUsd: null, unpricedTokens: 12 });
});

test('when the cost of the summaries is not known, neither is the net', () => {
  const money = savedMoney([{ model: 'b', tokensNotSent: 1_000_000 }], prices, null);
  expect(money).toMatchObject({ savedUsd: 1, netUsd: null });
});
