import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '@spillway/contracts';
import type { Schemas } from '@spillway/client';
import { apiOf, openEvents, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/run-program.js';
import { operatorHeader, operatorPassword, scrape } from '../operations/scrape.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    workers: 0,
    redis: false,
    env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword, SPILLWAY_TIME_DIVISOR: '10' },
  });
});
afterAll(() => stack?.stop());

interface Created {
  id: string;
  key: string;
}
async function keyWith(scopes: Scope[], more: object = {}): Promise<Created> {
  const made = await apiOf(stack).call<Created>('POST', '/v1/keys', { name: 'agent', scopes, ...more });
  expect(made.status).toBe(201);
  return made.body;
}
const statusOf = async (url: string, key: string) =>
  (await apiOf({ url, key }).call('GET', '/v1/threads')).status;

test('a key that is replaced while its agents work: the new one never fails, and the old one is refused by every process', async () => {
  const other = await stack.startApi();
  const urls = [stack.url, other.url];
  const [before, after] = [await keyWith(['context:read']), await keyWith(['context:read'])];
  const all = (key: string) => Promise.all(urls.map((url) => statusOf(url, key)));
  expect([await all(before.key), await all(after.key)].flat()).toEqual([200, 200, 200, 200]);

  let isOver = false;
  const statuses: number[] = [];
  const work = async () => {
    while (!isOver) statuses.push(...(await all(after.key)));
  };
  const working = [work(), work()];
  expect((await apiOf(stack).call('DELETE', `/v1/keys/${before.id}`)).status).toBe(204);
  expect(await statusOf(stack.url, before.key)).toBe(401);
  await until(
    'the other process refuses it too',
    async () => (await statusOf(other.url, before.key)) === 401,
  );
  isOver = true;
  await Promise.all(working);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await other.stop();
});

const hashOf = (key: string) => createHash('sha256').update(key).digest();

/** As many keys that were made and revoked before. */
async function revokedKeys(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `sw_${randomBytes(24).toString('hex')}`);
  await rowsOf(
    stack.databaseUrl,
    `INSERT INTO api_keys (project_id, name, prefix, hash, scopes, revoked_at)
     SELECT p.id, 'old', 'sw_', hash, '{context:read}', now() FROM projects p, unnest($1::bytea[]) AS hash
     WHERE p.name = 'default' RETURNING id`,
    [keys.map(hashOf)],
  );
  return keys;
}

test('F86 agents that go on with a key that was revoked do not keep the new one of their address out', async () => {
  const [before, after] = [await keyWith(['context:read']), await keyWith(['context:read'])];
  expect((await apiOf(stack).call('DELETE', `/v1/keys/${before.id}`)).status).toBe(204);
  // A process that has served neither.
  const fresh = await stack.startApi();
  for (let i = 0; i < 130; i++) expect(await statusOf(fresh.url, before.key)).toBe(401);
  for (const key of await revokedKeys(130)) expect(await statusOf(fresh.url, key)).toBe(401);
  expect(await statusOf(fresh.url, after.key)).toBe(200);
  // What is still sent of an ended key is answered from memory: keys are not live again, so here one is by hand.
  await until('an ended key is not looked up again', async () => {
    const [key] = await revokedKeys(1);
    expect(await statusOf(fresh.url, key!)).toBe(401);
    const restore = 'UPDATE api_keys SET revoked_at = NULL WHERE hash = $1 RETURNING id';
    await rowsOf(stack.databaseUrl, restore, [hashOf(key!)]);
    return (await statusOf(fresh.url, key!)) === 401;
  });
  await fresh.stop();
});

test('a key that expires while it is used: requests are 401, and its stream, its sessions and its tokens end', async () => {
  const { key } = await keyWith(['messages:write', 'context:read'], {
    expires_at: new Date(Date.now() + 6_000).toISOString(),
  });
  const agent = apiOf({ url: stack.url, key });
  await agent.append('expiring', { role: 'user', content: 'hello' });
  const stream = await openEvents({ url: stack.url, key });
  expect(stream.status).toBe(200);
  const session = await agent.call<{ token: string }>('POST', '/v1/sessions');
  const issued = { scopes: ['context:read'] };
  const token = await agent.call<{ token: string }>('POST', '/v1/threads/expiring/tokens', issued);
  const callers = [key, session.body.token, token.body.token].map((of) => apiOf({ url: stack.url, key: of }));
  const answers = () => Promise.all(callers.map((caller) => caller.call('GET', '/v1/threads/expiring')));
  expect((await answers()).map(({ status }) => status)).toEqual([200, 200, 200]);

  await stream.ended;
  await until('all are refused', async () => (await answers()).every(({ status }) => status === 401));
  for (const { body } of await answers())
    expect(body).toMatchObject({
      code: 'unauthorized',
      detail: expect.stringContaining('expired') as string,
    });
});

test('the operator makes an admin key for a project that lost its own, by the command line', async () => {
  const project = await apiOf(stack).call<Created>(
    'POST',
    '/v1/projects',
    { name: 'lost' },
    operatorHeader(operatorPassword),
  );
  const env = { SPILLWAY_OPERATOR_PASSWORD: operatorPassword };
  const run = (...words: string[]) => runCommand({ url: stack.url, key: '' }, ['projects', ...words], env);
  const { stdout, code } = await run('admin-key', 'lost');
  expect(code).toBe(0);
  const found = apiOf({ url: stack.url, key: stdout.trim() });
  const keys = await found.call<{ data: { id: string; name: string; scopes: string[] }[] }>(
    'GET',
    '/v1/keys',
  );
  expect(keys.body.data.map(({ name, scopes }) => [name, scopes])).toEqual([
    ['made by the operator', ['admin']],
    ['first', ['admin']],
  ]);
  expect((await found.call('DELETE', `/v1/keys/${keys.body.data[1]!.id}`)).status).toBe(204);
  expect(await statusOf(stack.url, project.body.key)).toBe(401);
  expect(await run('admin-key', 'nobody')).toMatchObject({ code: 4 });
});

test('a last admin key that is about to expire, or has expired, is a concern and a metric until another one lasts', async () => {
  const admin = apiOf({ url: stack.url, key: await stack.addProject('one-admin') });
  const keyFor = async (days: number, scopes: Scope[] = ['admin']) => {
    const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
    const made = await admin.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
      name: 'key',
      scopes,
      expires_at,
    });
    expect(made.status).toBe(201);
    return made.body;
  };
  // An agent's key, which may see concerns and not keys.
  const reader = apiOf({ url: stack.url, key: (await keyFor(30, ['context:read'])).key });
  const concerns = async () =>
    (await reader.call<Schemas['Attention']>('GET', '/v1/attention')).body.concerns;
  const counted = async (state: string) =>
    (await scrape(stack.url)).value('spillway_last_admin_keys', { state });
  const short = await keyFor(10);
  expect(await concerns()).toEqual([]);
  expect(await counted('expiring')).toBe(0);

  const { body } = await admin.call<Schemas['SessionCurrent']>('GET', '/v1/sessions/current');
  expect((await admin.call('DELETE', `/v1/keys/${body.key.id}`)).status).toBe(204);
  const found = {
    kind: 'last_admin_key_expires',
    severity: 'act',
    reason: `expires at ${short.expires_at}`,
    count: 1,
    at_least: false,
    thread_ids: [],
    detail: null,
    page: '/settings/keys',
  };
  expect(await concerns()).toEqual([found]);
  await until('the metric has it', async () => (await counted('expiring')) === 1);
  expect(await counted('expired')).toBe(0);

  const at = '2026-01-01T00:00:00.000Z';
  const expire = 'UPDATE api_keys SET expires_at = $2 WHERE id = $1 RETURNING id';
  await rowsOf(stack.databaseUrl, expire, [short.id, at]);
  expect(await concerns()).toEqual([{ ...found, reason: `expired at ${at}` }]);
  await until('the metric has it', async () => (await counted('expired')) === 1);
  expect(await counted('expiring')).toBe(0);

  // An expired key that was replaced is no reason to warn.
  const path = `/v1/projects/${body.project.id}/keys`;
  const more = await apiOf(stack).call('POST', path, { name: 'new' }, operatorHeader(operatorPassword));
  expect(more.status).toBe(201);
  expect(await concerns()).toEqual([]);
  await until('the metric has none', async () => (await counted('expired')) === 0);
});
