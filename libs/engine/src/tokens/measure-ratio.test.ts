import { expect, test } from 'vitest';
import { measureRatio } from './measure-ratio.js';

test('a ratio moves up at once, half of the way down, and stays where it is for a little less', () => {
  expect(measureRatio(1, 2_000, 1_000)).toEqual({ ratio: 2 });
  expect(measureRatio(2, 1_000, 1_000)).toEqual({ ratio: 1.5 });
  expect(measureRatio(2, 1_960, 1_000)).toEqual({ ratio: 2 });
});

test('a true ratio that does not change settles, and is never under-estimated by more than a twentieth', () => {
  for (const truth of [0.5, 0.75, 0.97, 1.003, 1.15, 2.5]) {
    let ratio = 1;
    const seen: number[] = [];
    for (let i = 0; i < 30; i++) {
      const measured = measureRatio(ratio, Math.round(truth * 10_000), 10_000);
      if ('ratio' in measured) ratio = measured.ratio;
      seen.push(ratio);
    }
    expect(ratio).toBeGreaterThanOrEqual(truth);
    expect(ratio).toBeLessThan(truth / 0.95 + 0.011);
    expect(new Set(seen.slice(15)).size).toBe(1);
  }
});

test('a count of another request, and a context too short to say anything, are ignored', () => {
  expect(measureRatio(1, 90_000, 1_000)).toEqual({ ignored: 'implausible' });
  expect(measureRatio(1, 12, 1_000)).toEqual({ ignored: 'implausible' });
  expect(measureRatio(1, 400, 400)).toEqual({ ignored: 'context_too_small' });
});
