import { expect, test } from 'vitest';
import { unpricedWords } from './unpriced-words';

const spent = (...costs: (number | null)[]) => costs.map((spent_usd) => ({ spent_usd }));

test('attempts from before a price was set count at the price of today', () => {
  expect(unpricedWords(1, spent(0.2))).toBe(
    '1 attempt ran before a price was set and counts at the price of today.',
  );
  expect(unpricedWords(4, spent(0.2, 0))).toMatch(/^4 attempts ran before a price was set and count at/);
});

test('while a model has no price, its attempts are not said to count', () => {
  expect(unpricedWords(4, spent(0.2, null))).toBe(
    '4 attempts ran without a price. Each counts at the price of today once its model has one.',
  );
  expect(unpricedWords(1, spent(null))).toBe(
    '1 attempt ran without a price. It counts at the price of today once its model has one.',
  );
});

test('without such attempts there is nothing to say', () => {
  expect(unpricedWords(0, spent(0.2))).toBeNull();
});
