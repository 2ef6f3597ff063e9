// @module-tag long
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { operatorPassword, scrape } from '../operations/scrape.js';
import { bigResult, compacted, dueThread, expectSound, isFull, longTest } from './fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

const redisOf = async () => (await apiOf(stack).call<{ redis: string }>('GET', '/readyz')).body.redis;

longTest(
  'F19 Redis away for 40 seconds: compaction goes on meanwhile, and hints are taken again afterwards',
  async () => {
    stack = await startStack({ env: { SPILLWAY_POLL_MS: '500' } });
    const api = apiOf(stack);
    await dueThread(api, 'before');
    await compacted(api, 'before');
    await stack.redis!.kill();
    await dueThread(api, 'during');
    await compacted(api, 'during');
    await sleep(40_000);
    await stack.redis!.start();
    await until('Redis is seen', async () => (await redisOf()) === 'ok');
    await dueThread(api, 'after');
    await compacted(api, 'after');
    // Taken by the queue, not found by polling: the worker asks Redis for work again.
    await until('the queue has a consumer', async () =>
      (await stack.redis!.ask('CLIENT LIST')).includes('cmd=bzpopmin'),
    );
    await expectSound(stack);
  },
);

test('F21 a Redis that is full: appends and compactions go on', async () => {
  stack = await startStack({
    env: { SPILLWAY_POLL_MS: '300', SPILLWAY_OPERATOR_PASSWORD: operatorPassword },
  });
  const api = apiOf(stack);
  await stack.redis!.ask('CONFIG SET maxmemory 1mb');
  expect(await stack.redis!.ask('SET big 1')).toContain('OOM');
  await until('it is noticed', async () => (await redisOf()) === 'read_only');
  const scraped = await scrape(stack.workers[0]!.url);
  expect(scraped.value('spillway_redis_up')).toBe(0);
  for (let i = 0; i < 3; i++) await dueThread(api, `full-${i}`);
  for (let i = 0; i < 3; i++) await compacted(api, `full-${i}`);
  await stack.redis!.ask('CONFIG SET maxmemory 0');
  await until('it has room again', async () => (await redisOf()) === 'ok');
  await dueThread(api, 'room');
  await compacted(api, 'room');
});

test('F22 a Redis that evicts the keys of jobs: nothing but latency is lost', async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '300' } });
  const api = apiOf(stack);
  await stack.redis!.ask('CONFIG SET maxmemory-policy allkeys-random');
  await stack.redis!.ask('CONFIG SET maxmemory 1mb');
  for (let i = 0; i < 3; i++) await dueThread(api, `evicted-${i}`);
  for (let i = 0; i < 3; i++) await compacted(api, `evicted-${i}`);
  await expectSound(stack);
});

test('F23 a Redis that is asleep is as good as none', async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '300' } });
  const api = apiOf(stack);
  await stack.redis!.pause();
  await until('it is noticed', async () => (await redisOf()) === 'down');
  await dueThread(api, 'asleep');
  await compacted(api, 'asleep');
  stack.redis!.resume();
  await until('it is back', async () => (await redisOf()) === 'ok');
  await dueThread(api, 'awake');
  await compacted(api, 'awake');
  await expectSound(stack);
});

test('F71 the replies of Redis are lost for a while: then the queue hands out threads again by itself', async () => {
  // Nothing is found by a look into Postgres: what is compacted was handed out by the queue.
  stack = await startStack({ proxied: true, env: { SPILLWAY_POLL_MS: '3600000' } });
  const api = apiOf(stack);
  const redis = stack.proxies!.redis!;
  await dueThread(api, 'before');
  await compacted(api, 'before');
  await redis.set('lost-replies');
  await dueThread(api, 'during');
  await sleep(2_000);
  // Connections that lost a reply stay silent for ever.
  await redis.set('pass');
  await until('the API reaches Redis', async () => (await redisOf()) === 'ok');
  await dueThread(api, 'after');
  await compacted(api, 'after');
  // A worker may have taken this one, and the reply that says so was lost: the queue hands a job out again when its lock of
  // 60 s is over, which it looks for each 30 s.
  await compacted(api, 'during', 1, 150_000);
  await expectSound(stack);
});

test('F79 a worker whose clock is days ahead: after it ended, the other workers go on with the repeated jobs', async () => {
  stack = await startStack({
    env: { SPILLWAY_POLL_MS: '300', SPILLWAY_TIME_DIVISOR: '60', SPILLWAY_GRACE_MS: '1' },
  });
  const day = 86_400_000;
  const shifted = new URL('shifted-clock.mjs', import.meta.url).href;
  const ahead = await stack.startWorker({ NODE_OPTIONS: `--import ${shifted}`, SHIFT_MS: String(2 * day) });
  await until('the next sweep is days ahead', async () => {
    const next = await stack.redis!.ask('ZSCORE bull:spillway-sweep-outputs:repeat sweep-outputs');
    return Number(/\d{13}/.exec(next)) > Date.now() + day;
  });
  await ahead.stop();
  const posted = await apiOf(stack).append('expired', ...bigResult('c'));
  const { id } = posted.messages[1]!.output!;
  await rowsOf(stack.databaseUrl, `UPDATE outputs SET expires_at = now() - interval '1 s' WHERE id = $1`, [
    id,
  ]);
  const isSwept = `SELECT FROM outputs WHERE id = $1 AND state = 'deleted'`;
  await until('it is swept', async () => (await rowsOf(stack.databaseUrl, isSwept, [id])).length === 1);
  await expectSound(stack);
});

describe('F23 a Redis that answers with errors only is as good as none', () => {
  const errors = [
    'LOADING Redis is loading the dataset in memory',
    "READONLY You can't write against a read only replica.",
    'MISCONF Errors writing to the AOF file',
    'NOAUTH Authentication required.',
  ];
  test.each(isFull ? errors : errors.slice(0, 1))('%s', async (error) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(`-${error}\r\n`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      stack = await startStack({
        redis: false,
        env: { REDIS_URL: `redis://127.0.0.1:${port}`, SPILLWAY_POLL_MS: '300' },
      });
      const api = apiOf(stack);
      await dueThread(api, 'sick');
      await compacted(api, 'sick');
      expect((await fetch(`${stack.workers[0]!.url}/healthz`)).status).toBe(200);
    } finally {
      server.close();
    }
  });
});
