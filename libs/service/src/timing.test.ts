import { expect, test } from 'vitest';
import { policyInput } from '@spillway/contracts';
import { readEnv } from './env.js';
import { productionTiming } from './timing.js';

const timingWith = (variables: Record<string, string>) =>
  readEnv({ DATABASE_URL: 'postgresql://localhost/spillway', ...variables }, policyInput).timing;

const production = readEnv({ DATABASE_URL: 'postgresql://localhost/spillway' }, policyInput);
const minute = 60_000;
const hour = 60 * minute;

test('a process that is not told otherwise takes the times of production', () => {
  expect(timingWith({})).toEqual(productionTiming);
  expect(productionTiming).toEqual({
    keyTrustMs: 5_000,
    streamCallersMs: 3_000,
    keepArrivedMs: 10 * minute,
    stalledDownloadMs: minute,
    storageCheckMs: 30_000,
    usageMs: 3_000,
    prepareAgainMs: 5 * minute,
    prepareAnewMs: 30 * 24 * hour,
    failedAttempt: { firstMs: 2_000, maxMs: 5 * minute },
    provider: { breakerMs: 30_000, firstMs: 2_000, maxMs: minute },
    webhookRetriesMs: [
      ...[5_000, 30_000, 2 * minute, 10 * minute, 30 * minute],
      ...[hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour, 12 * hour, 12 * hour],
    ],
    jobs: { 'sweep-outputs': minute, 'sweep-storage': hour },
  });
});

test('a compaction whose worker died is made again within two minutes, and one that a provider failed within five and a half', () => {
  // The lease ends at most its length after the death; the reconciler finds the thread in its next round.
  expect(production.leaseMs + production.pollMs).toBeLessThan(2 * minute);
  expect(productionTiming.failedAttempt.maxMs + production.pollMs).toBeLessThan(5.5 * minute);
});

test('a divisor divides all of them', () => {
  expect(timingWith({ SPILLWAY_TIME_DIVISOR: '10' })).toMatchObject({
    keyTrustMs: 500,
    failedAttempt: { firstMs: 200, maxMs: 30_000 },
    provider: { breakerMs: 3_000 },
    jobs: { 'sweep-outputs': 6_000 },
  });
  expect(timingWith({ SPILLWAY_TIME_DIVISOR: '10' }).webhookRetriesMs[0]).toBe(500);
});
