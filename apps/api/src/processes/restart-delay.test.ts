import { expect, test } from 'vitest';
import { RestartDelay } from './restart-delay.js';

test('the delay doubles up to 30 s while processes end soon, and starts over after one that ran for a minute', () => {
  const delay = new RestartDelay();
  const delays = Array.from({ length: 10 }, () => delay.after(1_000));
  expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]);
  expect(delay.after(60_000)).toBe(100);
  expect(delay.after(59_999)).toBe(200);
});
