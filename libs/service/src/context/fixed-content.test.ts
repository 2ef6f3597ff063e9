import { budgetOf, type PolicyInput } from '@spillway/engine';
import { expect, test } from 'vitest';
import { smallestWindow } from './fixed-content.js';

const exact = { calibration: 1, measuredRatio: 1 };
const of = (input: PolicyInput, window: number) => ({ input, budget: budgetOf(input, window) });

test('the smallest window is the first whose trigger is above the fixed content', () => {
  const input = { context: { trigger_ratio: 0.5, response_reserve: 0 } };
  const window = smallestWindow(of(input, 8_000), exact, 20_515)!;
  expect(budgetOf(input, window).trigger).toBeGreaterThan(20_515);
  expect(budgetOf(input, window - 1).trigger).toBeLessThanOrEqual(20_515);
});

test('a provider that counts more tokens needs a larger window', () => {
  const settings = of({}, 8_000);
  const larger = smallestWindow(settings, { calibration: 2, measuredRatio: 2 }, 20_515);
  expect(larger).toBeGreaterThan(smallestWindow(settings, exact, 20_515)!);
});

test('no window is enough while the policy holds the trigger below the fixed content', () => {
  expect(smallestWindow(of({ context: { trigger_tokens: 5_000 } }, 8_000), exact, 20_515)).toBeNull();
});
