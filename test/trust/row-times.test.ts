// @module-tag long
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorHeader, operatorPassword } from '../operations/scrape.js';
import { bigResult, compacted, dueThread } from '../faults/fault-rig.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  const shifted = new URL('../faults/shifted-clock.mjs', import.meta.url).href;
  stack = await startStack({
    redis: false,
    env: {
      NODE_OPTIONS: `--import ${shifted}`,
      // Further back than anything lies ahead: a time in the future that a process computes is in the past too.
      SHIFT_MS: String(-1_000 * 86_400_000),
      SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
      SPILLWAY_POLL_MS: '300',
      SPILLWAY_TIME_DIVISOR: '60',
      SPILLWAY_GRACE_MS: '1',
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
      SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1',
    },
  });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

/** Calls the API; throws when it refuses. */
async function must<T>(method: string, path: string, body?: object, headers = {}): Promise<T> {
  const answer = await api.call<T>(method, path, body, headers);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** An expired output, and the sweep that removed it. */
async function sweptOutput(): Promise<void> {
  const posted = await api.append('swept', ...bigResult('c'));
  const { id } = posted.messages[1]!.output!;
  await rowsOf(stack.databaseUrl, `UPDATE outputs SET expires_at = now() - interval '1 s' WHERE id = $1`, [
    id,
  ]);
  await until('a sweep', async () => (await rowsOf(stack.databaseUrl, 'SELECT FROM sweeps')).length > 0);
}

async function webhookWithDelivery(): Promise<void> {
  // Nothing listens there: the delivery is tried and waits for its next attempt.
  const { id } = await must<{ id: string }>('POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/' });
  await must('POST', `/v1/webhooks/${id}/test`);
  await until(
    'an attempt',
    async () =>
      (await rowsOf(stack.databaseUrl, 'SELECT FROM webhook_deliveries WHERE attempts > 0')).length > 0,
  );
  await must('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_ms: 3_600_000 });
  await must('PATCH', `/v1/webhooks/${id}`, { enabled: false });
}

/** A key, and one of a session, which expires by default. */
async function keysAndSession(): Promise<void> {
  await must('POST', '/v1/keys', { name: 'by a key', scopes: ['context:read'] });
  const { token } = await must<{ token: string }>('POST', '/v1/sessions');
  const ofSession = { authorization: `Bearer ${token}` };
  await must('POST', '/v1/keys', { name: 'by a session', scopes: ['context:read'] }, ofSession);
}

async function upstreams(): Promise<void> {
  const upstream = { base_url: 'http://127.0.0.1:1/v1' };
  // Created, replaced, and replaced with the stored key.
  for (const provider of ['openai', 'anthropic']) {
    await must('PUT', `/v1/upstreams/${provider}`, { ...upstream, key: `sk-${provider}` });
    await must('PUT', `/v1/upstreams/${provider}`, { ...upstream, key: 'sk-other' });
  }
  await must('PUT', '/v1/upstreams/anthropic', upstream);
}

/** Columns with a time that is more than an hour old, with the table. */
async function oldTimes(): Promise<string[]> {
  const columns = await rowsOf<{ table: string; column: string }>(
    stack.databaseUrl,
    `SELECT c.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attnum > 0 AND a.atttypid = 'timestamptz'::regtype ORDER BY 1, 2`,
  );
  expect(columns.length).toBeGreaterThan(30);
  const old: string[] = [];
  for (const { table, column } of columns) {
    const rows = await rowsOf(
      stack.databaseUrl,
      `SELECT FROM "${table}" WHERE "${column}" < now() - interval '61 minutes' LIMIT 1`,
    );
    if (rows.length > 0) old.push(`${table}.${column}`);
  }
  return old;
}

test('rows that processes with a clock far behind write have the times of the database', async () => {
  await must('POST', '/v1/projects', { name: 'second' }, operatorHeader(operatorPassword));
  await keysAndSession();
  await upstreams();
  await dueThread(api, 'folded');
  await compacted(api, 'folded');
  await webhookWithDelivery();
  await sweptOutput();
  expect(await oldTimes()).toEqual([]);
});
