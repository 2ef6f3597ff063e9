import { routes, type Scope } from '@spillway/contracts';
import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let admin: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  admin = apiOf(stack);
  await admin.append('thread', { role: 'user', content: 'hello' });
});
afterAll(() => stack?.stop());

interface Created {
  id: string;
  key: string;
}
async function keyWith(scopes: Scope[], more: object = {}): Promise<Created & { api: Api }> {
  const { body } = await admin.call<Created>('POST', '/v1/keys', { name: 'test', scopes, ...more });
  return { ...body, api: apiOf({ url: stack.url, key: body.key }) };
}

const scopes: Scope[] = ['messages:write', 'context:read', 'outputs:read', 'threads:manage'];

describe('A5 a key does what its scopes say and nothing else', () => {
  test.each(scopes)('%s', async (scope) => {
    const { api } = await keyWith([scope]);
    for (const [key, route] of Object.entries(routes)) {
      if (route.scope === 'open' || route.scope === 'any') continue;
      const [method, path] = key.split(' ') as [string, string];
      const url = path.replace(/\{\w+\}/g, 'x');
      const answer = await api.call<{ code: string }>(method, url, route.body ? { nonsense: 1 } : undefined);
      if (route.scope === scope && !route.alsoScope) expect(answer.status, key).not.toBe(403);
      else expect(answer, key).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.status, key).not.toBe(401);
    }
  });
});

test('A12 only an admin makes keys, and the key itself is shown once', async () => {
  const { api, key } = await keyWith(['messages:write', 'context:read']);
  expect(await api.call('POST', '/v1/keys', { name: 'wider', scopes: ['admin'] })).toMatchObject({
    status: 403,
  });
  const list = await admin.call('GET', '/v1/keys');
  expect(JSON.stringify(list.body)).not.toContain(key);
  expect(JSON.stringify(list.body)).toContain(key.slice(0, 8));
});

test('a key says when it was last used, to the minute and without a write for each request', async () => {
  const { id, api } = await keyWith(['context:read']);
  const seen = async () =>
    (
      await admin.call<{ data: { id: string; last_used_at: string | null }[] }>('GET', '/v1/keys')
    ).body.data.find((key) => key.id === id)!.last_used_at;
  expect(await seen()).toBeNull();
  await api.call('GET', '/v1/threads');
  await until('its use is written down', async () => (await seen()) !== null);
  const first = await seen();
  expect(Math.abs(Date.now() - Date.parse(first!))).toBeLessThan(60_000);
  for (let i = 0; i < 5; i++) await api.call('GET', '/v1/threads');
  expect(await seen()).toBe(first);
});

test('A6 unknown, wrong, expired and revoked keys are answered alike', async () => {
  const expired = await keyWith(['context:read'], { expires_at: '2020-01-01T00:00:00Z' });
  const revoked = await keyWith(['context:read']);
  expect((await revoked.api.call('GET', '/v1/threads')).status).toBe(200);
  expect((await admin.call('DELETE', `/v1/keys/${revoked.id}`)).status).toBe(204);
  await sleep(5_500);
  const answers = await Promise.all(
    ['sw_nothing', `${stack.key}x`, expired.key, revoked.key].map((key) =>
      apiOf({ url: stack.url, key }).call<{ request_id: string }>('GET', '/v1/threads'),
    ),
  );
  const [first, ...others] = answers.map(({ status, body }) => ({
    status,
    body: { ...body, request_id: '' },
  }));
  expect(first!.status).toBe(401);
  for (const other of others) expect(other).toEqual(first);
});

test('the last admin key can not be revoked, another one can', async () => {
  const list = await admin.call<{ data: { id: string; name: string }[] }>('GET', '/v1/keys');
  const bootstrap = list.body.data.find((key) => key.name === 'bootstrap')!;
  const refused = await admin.call('DELETE', `/v1/keys/${bootstrap.id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'last_admin_key' } });
  const second = await keyWith(['admin']);
  expect((await admin.call('DELETE', `/v1/keys/${second.id}`)).status).toBe(204);
  expect((await admin.call('DELETE', '/v1/keys/00000000-0000-4000-8000-000000000000')).status).toBe(404);
});

describe('a session', () => {
  test('says whose it is and what it may do, and so does a key', async () => {
    const { id, key, api } = await keyWith(['context:read']);
    const { body } = await api.call<{ token: string }>('POST', '/v1/sessions');
    const person = apiOf({ url: stack.url, key: body.token });
    const expected = {
      project: { name: 'default' },
      key: { id, name: 'test', prefix: key.slice(0, 8) },
      scopes: ['context:read'],
    };
    const [ofPerson, ofKey] = await Promise.all(
      [person, api].map((caller) => caller.call('GET', '/v1/sessions/current')),
    );
    expect(ofPerson!.body).toMatchObject({ ...expected, is_session: true });
    expect(ofKey!.body).toMatchObject({ ...expected, is_session: false });
  });

  test('stands for its key until it ends, and is known by its hash alone', async () => {
    const { body } = await admin.call<{ token: string }>('POST', '/v1/sessions');
    const person = apiOf({ url: stack.url, key: body.token });
    expect((await person.thread('thread')).last_seq).toBe(1);
    expect((await person.call('POST', '/v1/sessions')).status).toBe(403);
    expect((await person.call('DELETE', '/v1/sessions/current')).status).toBe(204);
    await sleep(5_500);
    expect((await person.call('GET', '/v1/threads')).status).toBe(401);
  });

  test('ends with its key', async () => {
    const { id, api } = await keyWith(['context:read']);
    const { body } = await api.call<{ token: string }>('POST', '/v1/sessions');
    const person = apiOf({ url: stack.url, key: body.token });
    expect((await person.call('GET', '/v1/threads')).status).toBe(200);
    await admin.call('DELETE', `/v1/keys/${id}`);
    await sleep(5_500);
    expect((await person.call('GET', '/v1/threads')).status).toBe(401);
  });
});

test('A14 whoever guesses keys is told to wait, and good keys go on', async () => {
  const guess = (n: number) => apiOf({ url: stack.url, key: `sw_guess_${n}` }).call('GET', '/v1/threads');
  const statuses: number[] = [];
  for (let n = 0; n < 200; n += 20)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 20 }, (_, i) => guess(n + i)))).map((a) => a.status),
    );
  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
  expect((await admin.call('GET', '/v1/threads')).status).toBe(200);
});
