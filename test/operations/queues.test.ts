import { openHints, type Hints } from '@spillway/jobs';
import { queueKeysOf, startTestRedis, until, type TestRedis } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let redis: TestRedis;
let hints: Hints;
beforeAll(async () => {
  redis = await startTestRedis();
  hints = openHints(redis.url, (error) => expect.unreachable(error.message));
  await until('the queues are open', () => hints.ping());
});
afterAll(async () => {
  await hints?.close();
  await redis?.stop();
});

const schedule = 'bull:spillway-sweep-outputs:repeat:sweep-outputs';

test('a job whose schedule changed is repeated as the catalogue says', async () => {
  expect(await hints.schedule()).toBe(true);
  const every = await redis.ask(`HGET ${schedule} every`);
  expect(every).toContain('60000');
  await redis.ask(`HSET ${schedule} every 3600000`);
  expect(await hints.schedule()).toBe(true);
  expect(await redis.ask(`HGET ${schedule} every`)).toBe(every);
});

test('a backlog of jobs is not taken for keys that are left over, and keys that are left over are', async () => {
  // The first job of a queue makes keys that the queue has from then on.
  await hints.send('compact-thread', { projectId: '', threadId: '' }, 'first');
  const before = await queueKeysOf(redis);
  for (let i = 0; i < 50; i++)
    await hints.send('compact-thread', { projectId: '', threadId: '' }, `job-${i}`);
  expect(await queueKeysOf(redis)).toEqual({ ...before, waiting: before.waiting + 50 });
  for (let i = 0; i < 7; i++) await redis.ask(`HSET bull:spillway-compact-thread:old-${i} data 1`);
  expect((await queueKeysOf(redis)).unexplained).toBe(before.unexplained + 7);
});
