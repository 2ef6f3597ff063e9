import { expect, test } from 'vitest';
import { approachOf } from './approach.js';

test('each of the first attempts asks another way', () => {
  const asked = [1, 2, 3, 4].map((attempt) => JSON.stringify(approachOf(attempt)));
  expect(new Set(asked).size).toBe(4);
});

test('later attempts ask for less than the first', () => {
  expect(approachOf(9).partShare).toBeLessThan(approachOf(1).partShare);
  expect(approachOf(9).share).toBeLessThan(approachOf(1).share);
});
