import { catalogue, done, type Handlers, type JobName } from '@spillway/jobs';
import { beforeEach, expect, test } from 'vitest';
import { ownSchedule } from './own-schedule.js';

const names = Object.keys(catalogue) as JobName[];
const everyMs = 1_000;

let now: number;
let ran: JobName[];
let failed: [JobName, unknown][];
beforeEach(() => {
  now = 0;
  ran = [];
  failed = [];
});
const options = {
  clock: () => now,
  onError: (job: JobName, error: unknown) => void failed.push([job, error]),
};
const handlers = Object.fromEntries(
  names.map((name) => [name, () => Promise.resolve(done()).finally(() => ran.push(name))]),
) as unknown as Handlers;

test('without Redis, every repeated job of the catalogue runs once an interval', async () => {
  const repeated = names.filter((name) => catalogue[name].everyMs !== undefined);
  const ofRepeated = Object.fromEntries(repeated.map((name) => [name, everyMs]));
  const own = ownSchedule(ofRepeated, handlers, options);
  for (; now < 3 * everyMs; now += everyMs / 4) {
    own.begin();
    await own.idle();
  }
  expect(ran).toEqual([...repeated, ...repeated]);
  expect(repeated).toEqual(['sweep-outputs', 'sweep-storage']);
});

test('a job whose run failed waits for its next interval', async () => {
  const full = new Error('the disk is full');
  const failing = { ...handlers, 'sweep-outputs': () => Promise.reject(full) };
  const own = ownSchedule({ 'sweep-outputs': everyMs }, failing, options);
  now = everyMs;
  for (let i = 0; i < 2; i++) {
    own.begin();
    await own.idle();
  }
  expect(failed).toEqual([['sweep-outputs', full]]);
});

test('a job that takes longer than its interval holds up no other, and has one run at a time', async () => {
  const listing = Promise.withResolvers<void>();
  let begun = 0;
  const slow = {
    ...handlers,
    'sweep-storage': async () => {
      begun++;
      await listing.promise;
      return done();
    },
  };
  const own = ownSchedule({ 'sweep-storage': everyMs, 'sweep-outputs': everyMs }, slow, options);
  for (let i = 0; i < 2; i++) {
    now += everyMs;
    own.begin();
  }
  await expect.poll(() => ran).toEqual(['sweep-outputs']);
  now += everyMs;
  own.begin();
  await expect.poll(() => ran).toEqual(['sweep-outputs', 'sweep-outputs']);
  expect(begun).toBe(1);
  listing.resolve();
  await own.idle();
});
