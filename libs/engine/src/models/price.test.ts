import { describe, expect, test } from 'vitest';
import { costOf, priceOf } from './price.js';

const price = { input: 2, output: 8, cachedInput: 0.5 };
const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedInputTokens: 400_000 };

describe('what calls to a model cost', () => {
  test.each([
    ['cached input at its own price', price, 0.6 * 2 + 0.4 * 0.5 + 0.5 * 8],
    ['cached input as input where it has no price', { ...price, cachedInput: null }, 2 + 4],
    ['nothing is a price', { input: 0, output: 0, cachedInput: null }, 0],
    ['null without a price of the input', { ...price, input: null }, null],
    ['null without a price of the output', { ...price, output: null }, null],
    ['null without any price', undefined, null],
  ])('%s', (_, of, expected) => {
    const cost = costOf(usage, of);
    if (expected === null) expect(cost).toBeNull();
    else expect(cost).toBeCloseTo(expected, 10);
  });
});

test.each([
  ['m-1', price],
  ['vendor/m-1', price],
  ['m-1-2026-01-31', price],
  ['m-1-large', undefined],
  ['constructor', undefined],
  [null, undefined],
])('the price of %s', (model, expected) => {
  expect(priceOf(model, { 'm-1': price })).toEqual(expected);
});
