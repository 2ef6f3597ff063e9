import { expect, test } from 'vitest';
import { growthOf } from './growth.js';
import type { Sample } from './samples.js';

const flat: Sample = {
  at: 0,
  apiMegabytes: 300,
  workerMegabytes: 300,
  descriptors: 200,
  connections: 20,
  redisKeys: 10,
  temporaryFiles: 0,
  waitSeconds: 0,
};
const grown = (samples: Sample[]) => growthOf(samples).filter(({ grew }) => grew);

test('what stays where it is, jumps for a moment or could not be measured has not grown', () => {
  const samples = Array.from({ length: 60 }, (_, i) => ({
    ...flat,
    apiMegabytes: i % 10 === 0 ? 2_000 : 300 + (i % 3),
    connections: i % 7 === 0 ? null : 20,
  }));
  expect(grown(samples)).toEqual([]);
});

test('a rise before the warm-up is over does not count', () => {
  expect(
    grown(Array.from({ length: 60 }, (_, i) => ({ ...flat, workerMegabytes: Math.min(300, 40 * i) }))),
  ).toEqual([]);
});

test.each([
  ['apiMegabytes', 10],
  ['descriptors', 5],
  ['connections', 1],
  ['redisKeys', 20],
  ['temporaryFiles', 1],
] as const)('%s that leaks is said to have grown', (metric, perSample) => {
  const samples = Array.from({ length: 60 }, (_, i) => ({
    ...flat,
    [metric]: flat[metric]! + i * perSample,
  }));
  expect(grown(samples)).toMatchObject([{ metric }]);
});

test('nothing measured has not grown', () => expect(grown([])).toEqual([]));
