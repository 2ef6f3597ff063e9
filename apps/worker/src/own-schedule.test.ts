import { catalogue, done, type Handlers, type JobName } from '@spillway/jobs';
import { beforeEach, expect, test } from 'vitest';
import { ownSchedule } from './own-schedule.js';

const names = Object.keys(catalogue) as JobName[];
const everyMs = 1_000;

let now: number;
let ran: JobName[];
beforeEach(() => {
  now = 0;
  ran = [];
});
const handlers = Object.fromEntries(
  names.map((name) => [name, () => Promise.resolve(done()).finally(() => ran.push(name))]),
) as unknown as Handlers;

test('without Redis, every repeated job of the catalogue runs once an interval', async () => {
  const repeated = names.filter((name) => catalogue[name].everyMs !== undefined);
  const ofRepeated = Object.fromEntries(repeated.map((name) => [name, everyMs]));
  const runDue = ownSchedule(ofRepeated, handlers, () => now);
  for (; now < 3 * everyMs; now += everyMs / 4) await runDue();
  // The reconciler looks at webhooks by itself.
  const here = repeated.filter((name) => name !== 'deliver-webhooks');
  expect(ran).toEqual([...here, ...here]);
  expect(here).toEqual(expect.arrayContaining(['sweep-outputs', 'sweep-storage']));
});

test('a job whose run failed waits for its next interval', async () => {
  const failing = {
    ...handlers,
    'sweep-outputs': () => Promise.reject(new Error('the disk is full')),
  };
  const runDue = ownSchedule({ 'sweep-outputs': everyMs }, failing, () => now);
  now = everyMs;
  await expect(runDue()).rejects.toThrow('the disk is full');
  await expect(runDue()).resolves.toBeUndefined();
});
