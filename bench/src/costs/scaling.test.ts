import { expect, test } from 'vitest';
import {
  carriedBy,
  needsOf,
  perMessage,
  scalingTables,
  traffic,
  usableShare,
  type Costs,
} from './scaling.js';
import type { Spent } from './spent.js';

const nothing: Spent = {
  seconds: 0,
  apiMs: 0,
  workerMs: 0,
  postgresMs: 0,
  redisMs: 0,
  logBytes: 0,
  fullPages: 0,
  storedBytes: 0,
  outputBytes: 0,
  redisCommands: 0,
  redisBytes: 0,
};
const measured = (spent: Partial<Spent>) => ({ spent: { ...nothing, ...spent }, count: 1 });
const costs: Costs = {
  idlePerSecond: nothing,
  append: measured({ apiMs: 1, postgresMs: 0.5, logBytes: 2_000, storedBytes: 1_500 }),
  appendAfterCheckpoint: measured({ logBytes: 6_000 }),
  changedContext: measured({ apiMs: 2 }),
  unchangedContext: measured({ apiMs: 1 }),
  output: measured({ outputBytes: 100_000 }),
  foldByCode: { ...measured({}), covered: 20 },
  foldByModel: { ...measured({ workerMs: 40, redisCommands: 30 }), covered: 20 },
};

test('a message carries its share of contexts, outputs and folds', () => {
  expect(perMessage(costs)).toMatchObject({
    apiMs: 1 + 2 * traffic.changedContexts + traffic.unchangedContexts,
    workerMs: 2,
    redisCommands: 1.5,
    outputBytes: 100_000 * traffic.outputs,
  });
});

test('a day is planned for its peak and with the cores not fully used', () => {
  const day = needsOf(costs, 86_400_000);
  expect(day.messagesPerSecond).toBeCloseTo(1_000 * traffic.peak);
  expect(day.postgresCores).toBeCloseTo((traffic.peak * 0.5) / usableShare);
  expect(day.logBytesPerSecond).toBeCloseTo(2_000 * day.messagesPerSecond);
  expect(day.logBytesPerSecondAtMost).toBeCloseTo(6_000 * day.messagesPerSecond);
  // What is stored follows from the messages of the day, not from its peak.
  expect(day.storedBytesPerDay).toBeCloseTo(86_400_000 * 1_500);
});

test('machines carry what needs exactly their cores', () => {
  const needs = needsOf(costs, carriedBy(costs, 10));
  expect(needs.apiCores + needs.workerCores + needs.postgresCores + needs.redisCores).toBeCloseTo(160);
  expect(carriedBy(costs, 100)).toBeCloseTo(10 * carriedBy(costs, 10));
});

test('the tables have a column for each day and a row for each number of machines', () => {
  const lines = scalingTables(costs).split('\n');
  expect(lines.filter((line) => line.startsWith('| API cores'))).toHaveLength(1);
  expect(lines.filter((line) => /^\| (1|10|100) \|/.test(line))).toHaveLength(3);
  expect(lines.find((line) => line.startsWith('| messages at the peak'))!.split('|')).toHaveLength(6);
});
