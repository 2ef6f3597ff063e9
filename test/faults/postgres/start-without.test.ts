// @module-tag long
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, ownPostgres: true, durable: true });
});
afterAll(() => stack?.stop());

test('F66 keys that cannot be looked up while Postgres is away are no guesses: none is told to wait', async () => {
  const { url } = stack;
  const agent = await apiOf(stack).call<{ key: string }>('POST', '/v1/keys', {
    name: 'never used',
    scopes: ['context:read'],
  });
  const statusOf = async () => {
    const headers = { authorization: `Bearer ${agent.body.key}` };
    return (await fetch(new URL('/v1/threads', url), { headers })).status;
  };
  await stack.postgres!.down('immediate');
  const statuses = new Set<number>();
  // More than the hundred wrong keys that an address may try in ten seconds.
  for (let tries = 0; tries < 130; tries++) statuses.add(await statusOf());
  expect([...statuses]).toEqual([503]);
  await stack.postgres!.start();
  await until('the key works', async () => (await statusOf()) === 200);
});

test('F70 a worker started while Postgres is away retries what was parked for the settings of a provider, once it is back', async () => {
  await apiOf(stack).append('parked', { role: 'user', content: 'x' });
  const parkedFor = async (): Promise<unknown> =>
    (await rowsOf(stack.databaseUrl, `SELECT park_reason FROM threads WHERE id = 'parked'`))[0]!.park_reason;
  await rowsOf(stack.databaseUrl, `UPDATE threads SET park_reason = 'auth' WHERE id = 'parked'`);
  await stack.postgres!.down('immediate');
  const starting = stack.startWorker();
  await sleep(4_000);
  await stack.postgres!.start();
  await starting;
  await until('it is not parked any more', async () => (await parkedFor()) === null);
  expect(await parkedFor()).toBeNull();
});

test('F66 an API started while Postgres is away serves once it is back, without another start', async () => {
  await stack.postgres!.down('immediate');
  const key = `sw_${randomBytes(20).toString('hex')}`;
  let ended: unknown;
  const starting = stack.startApi({ SPILLWAY_BOOTSTRAP_KEY: key }).catch((error: unknown) => {
    ended = error;
    return undefined;
  });
  await sleep(4_000);
  expect(ended).toBeUndefined();
  await stack.postgres!.start();
  const api = await starting;
  expect(ended).toBeUndefined();
  // The key is made, too: nothing else would make it before the next start.
  const { createThread } = apiOf({ url: api!.url, key });
  await until('the key works', () => createThread({ id: 'first' }).catch(() => undefined));
});
