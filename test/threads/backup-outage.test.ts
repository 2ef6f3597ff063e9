import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callOf, toolResult } from '../tool-calls.js';
import { log } from './backup-lines.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, proxied: true });
});
afterAll(() => stack?.stop());

/** Commits of new threads wait, so that a connection can be lost during one. */
const slowCommits = `
  CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON threads DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION slow_commit()`;

test('a restore whose commit was not heard of keeps the bytes of the thread that is there', async () => {
  const api = apiOf(stack);
  await api.createThread({ id: 'kept', policy: { outputs: { threshold_tokens: 600 } } });
  await api.append(
    'kept',
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [callOf('a')] },
    toolResult('a', log(900)),
  );
  const { body: backup } = await api.call<string>('GET', '/v1/threads/kept/backup');
  const other = apiOf({ url: stack.url, key: await stack.addProject('restored') });
  await rowsOf(stack.databaseUrl, slowCommits);

  const answer = other.call<Schemas['Problem']>('PUT', '/v1/threads/kept/backup', backup);
  await until('the commit is in progress', async () => {
    const rows = await rowsOf(
      stack.databaseUrl,
      `SELECT FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep'`,
    );
    return rows.length > 0;
  });
  stack.proxies!.postgres.dropConnections();
  expect(await answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });

  const list = await until('the thread is there', async () => {
    const found = await other.call<Schemas['OutputList']>('GET', '/v1/threads/kept/outputs');
    return found.status === 200 && found.body;
  });
  const { body, status } = await other.call<string>('GET', `/v1/outputs/${list.data[0]!.id}/content`);
  expect({ status, body }).toEqual({ status: 200, body: log(900) });
});
