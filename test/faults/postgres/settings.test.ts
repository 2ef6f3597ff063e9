// @module-tag long
import { apiOf, startStack, until, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { lockHolder } from '../../races/lock-holder.js';
import { compacted, dueThread } from '../fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

const append = (thread: string) =>
  apiOf(stack).call<{ code: string }>('POST', `/v1/threads/${thread}/messages`, {
    messages: [{ role: 'user', content: 'x' }],
  });
const unavailable = { status: 503, body: { code: 'database_unavailable' } };

/** Changes a setting of the database, as an administrator does, and ends all connections that have the one before. */
async function setDatabase(setting: string): Promise<void> {
  const name = new URL(stack.databaseUrl).pathname.slice(1);
  const client = new pg.Client(Object.assign(new URL(stack.databaseUrl), { pathname: '/postgres' }).href);
  await client.connect();
  await client.query(`ALTER DATABASE ${name} ${setting}`);
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await client.end();
}

test('F83 a database that an administrator, or a provider whose disk is nearly full, made read-only: /readyz is 503 until it takes writes', async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '300' } });
  const api = apiOf(stack);
  expect((await append('one')).status).toBe(201);
  await setDatabase('SET default_transaction_read_only = on');
  await until('appends are refused', async () => (await append('one')).status === 503);
  expect(await append('one')).toMatchObject(unavailable);
  // Each process gives the same answer for a second.
  const seenBy = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status === 503;
  await until('the API sees it', () => seenBy(stack.api));
  expect((await api.call('GET', '/readyz')).body).toMatchObject({ postgres: 'down' });
  await until('the worker sees it', () => seenBy(stack.workers[0]!));
  expect((await api.context('one')).messages).toHaveLength(1);

  await setDatabase('RESET default_transaction_read_only');
  await until('it takes writes again', async () => (await api.call('GET', '/readyz')).status === 200);
  await dueThread(api, 'after');
  await compacted(api, 'after');
});

test('F84 a limit for transactions that the server sets: what it ends is 503, and its retry is recorded', async () => {
  stack = await startStack({ workers: 0, redis: false });
  expect((await append('one')).status).toBe(201);
  await setDatabase('SET transaction_timeout = 500');
  await until('connections are back', async () => (await append('other')).status === 201);
  const unlimited = new URL(stack.databaseUrl);
  unlimited.searchParams.set('options', '-c transaction_timeout=0');
  const holder = await lockHolder(unlimited.href);
  await holder.holdThread('one');
  expect(await append('one')).toMatchObject(unavailable);
  await holder.close();
  expect((await append('one')).status).toBe(201);
  expect(await apiOf(stack).originals('one')).toHaveLength(2);
});
