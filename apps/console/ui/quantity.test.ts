import { expect, test } from 'vitest';
import { decrease, duration, roughDuration } from './quantity';

test.each([
  [412, '412 ms', '412 ms'],
  [7_200, '7.2 s', '7.2 s'],
  [60_000, '1 min', '1 min'],
  [90_000, '1 min 30 s', '1 min'],
  [3_600_000, '1 h', '1 h'],
  [12_000_000, '3 h 20 min', '3 h'],
  [2_592_000_000, '30 d', '30 d'],
])('%i ms read %s, roughly %s', (ms, exact, rough) => {
  expect(duration(ms)).toBe(exact);
  expect(roughDuration(ms)).toBe(rough);
});

test.each([
  [0.421, '−42%'],
  [0.9, '−90%'],
  [0.9968, '−99.6%'],
  [0.99999, '−99.9%'],
  [1, '−100%'],
  [0.0042, '−0.4%'],
  [0.00001, '−0.1%'],
])('a share of %d that was saved reads %s', (share, text) => expect(decrease(share)).toBe(text));
