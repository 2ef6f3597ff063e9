// @module-tag long
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound, isReady, longTest, post } from '../fault-rig.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    apis: 2,
    workers: 0,
    redis: false,
    proxied: true,
    ownPostgres: true,
    durable: true,
  });
});
afterAll(() => stack?.stop());

/** Agents that post until they are told to stop; gives what was answered. */
function writers(thread: string, count = 4) {
  let stopped = false;
  const acked = new Map<string, number>();
  const write = async (name: string, i: number) => {
    for (let n = 0; !stopped; n++) {
      const id = `${name}-${n}`;
      const url = stack.apis[i % stack.apis.length]!.url;
      acked.set(id, (await post(url, stack.key, thread, { role: 'user', content: id, id })).seq);
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, i) => write(`w${i}`, i)));
  return {
    acked,
    stop: async () => {
      stopped = true;
      await done;
    },
  };
}

async function nothingLost(thread: string, acked: ReadonlyMap<string, number>) {
  const stored = await apiOf(stack).originals(thread);
  expect(stored).toHaveLength(acked.size);
  for (const [id, seq] of acked) expect(stored[seq - 1]!.content).toBe(id);
  await expectSound(stack);
}

test('F4 Postgres stopped at once under load: nothing acknowledged is lost, and the service is back with it', async () => {
  const load = writers('stopped');
  await until('there is load', () => Promise.resolve(load.acked.size > 20));
  await stack.postgres!.down('immediate');
  await sleep(2_000);
  expect((await fetch(`${stack.url}/readyz`)).status).toBe(503);
  await stack.postgres!.start();
  await isReady(stack.api);
  const before = load.acked.size;
  await until('it goes on', () => Promise.resolve(load.acked.size > before + 10));
  await load.stop();
  await nothingLost('stopped', load.acked);
});

test('F5 the reply to a COMMIT that never comes: the client is told to try again, and learns the one seq', async () => {
  const api = apiOf(stack);
  await api.append('silent', { role: 'user', content: 'before' });
  await stack.proxies!.postgres.set('lost-replies');
  const body = { messages: [{ role: 'user', content: 'x', id: 'x' }] };
  const silent = await api.call<{ code: string }>('POST', '/v1/threads/silent/messages', body);
  expect(silent).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
  expect(silent.headers.get('retry-after')).toBe('1');
  expect(silent.ms).toBeLessThan(25_000);
  await stack.proxies!.postgres.set('pass');
  stack.proxies!.postgres.dropConnections();
  const { seq } = await post(stack.url, stack.key, 'silent', body.messages[0]!);
  expect(seq).toBe(2);
  expect(await api.originals('silent')).toHaveLength(2);
});

test('F76 the reply to a write of usage that never comes: what it wrote is counted once', async () => {
  const api = apiOf({ url: stack.url, key: await stack.addProject('counted once') });
  await api.append('counted', { role: 'user', content: 'before' });
  const counted = async () => {
    const [row] = await rowsOf<{ messages: number }>(
      stack.databaseUrl,
      `SELECT coalesce(sum(messages), 0)::int AS messages FROM usage_hours
       WHERE project_id = (SELECT id FROM projects WHERE name = 'counted once')`,
    );
    return row!.messages;
  };
  await stack.proxies!.postgres.set('lost-replies');
  await until('it is counted', async () => (await counted()) > 0);
  await stack.proxies!.postgres.set('pass');
  stack.proxies!.postgres.dropConnections();
  await isReady(stack.api);
  await api.append('counted', { role: 'user', content: 'after' });
  await until('the next is counted', async () => (await counted()) > 1);
  expect(await counted()).toBe(2);
});

longTest('F6 every connection of Postgres is taken: 503, no crash, and it recovers', async () => {
  const taken: pg.Client[] = [];
  await stack.proxies!.postgres.set('refuse');
  stack.proxies!.postgres.dropConnections();
  for (;;) {
    const client = new pg.Client(stack.databaseUrl);
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
    } catch {
      break;
    }
  }
  await stack.proxies!.postgres.set('pass');
  const body = { messages: [{ role: 'user', content: 'x', id: 'x' }] };
  const answer = await apiOf(stack).call('POST', '/v1/threads/full/messages', body);
  expect(answer.status).toBe(503);
  await Promise.all(taken.map((client) => client.end()));
  await isReady(stack.api);
  expect((await post(stack.url, stack.key, 'full', body.messages[0]!)).seq).toBe(1);
});

longTest('F8 an API that is stopped in mid-statement holds nobody up for long', async () => {
  const load = writers('paused', 6);
  await until('there is load', () => Promise.resolve(load.acked.size > 20));
  stack.apis[1]!.pause();
  const before = load.acked.size;
  await until('the other one goes on', () => Promise.resolve(load.acked.size > before + 30), 60_000);
  stack.apis[1]!.resume();
  await load.stop();
  await nothingLost('paused', load.acked);
});

test('F48 a migration that adds to the schema is applied while the version before it runs', async () => {
  const load = writers('rolling', 2);
  await until('there is load', () => Promise.resolve(load.acked.size > 10));
  // What an expanding migration does: new columns with defaults, new tables, new indexes. Never fewer of them.
  for (const sql of [
    `ALTER TABLE threads ADD COLUMN later TEXT NOT NULL DEFAULT 'x'`,
    'ALTER TABLE messages ADD COLUMN later INTEGER',
    'CREATE TABLE later (id INTEGER)',
    'CREATE INDEX later_idx ON messages (later)',
  ])
    await rowsOf(stack.databaseUrl, sql);
  const before = load.acked.size;
  await until('it goes on', () => Promise.resolve(load.acked.size > before + 20));
  await load.stop();
  await nothingLost('rolling', load.acked);
  expect((await apiOf(stack).call('GET', '/v1/threads/rolling/context')).status).toBe(200);
});
