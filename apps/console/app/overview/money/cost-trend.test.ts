import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { costTrend } from './cost-trend';

const bucket = (cost_usd: number | null, unpriced_attempts = 0) => ({
  llm: { cost_usd, unpriced_attempts, input_tokens: 700, output_tokens: 50 } as Schemas['UsageBucket']['llm'],
});

test('costs that are all known are drawn in dollars', () => {
  expect(costTrend([bucket(0.2), bucket(0)])).toEqual([0.2, 0]);
});

test('with one cost unknown, in whole or in part, the whole line is in tokens', () => {
  expect(costTrend([bucket(0.2), bucket(null, 2)])).toEqual([750, 750]);
  expect(costTrend([bucket(0.2), bucket(0.1, 1)])).toEqual([750, 750]);
});
