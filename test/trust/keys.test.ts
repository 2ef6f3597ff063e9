import { routes, type Scope } from '@spillway/contracts';
import { apiOf, openEvents, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalIn } from '../refusal-in.js';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let admin: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_TIME_DIVISOR: '10' } });
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

/** The API trusts a key that it knows for a while; then it looks again. */
const untilRefused = (api: Api) =>
  until('the key is refused', async () => {
    const { status } = await api.call('GET', '/v1/threads');
    return status !== 200 && status;
  });

const scopes: Scope[] = ['messages:write', 'context:read', 'outputs:read', 'threads:manage'];

describe('A5 a key does what its scopes say and nothing else', () => {
  test.each(scopes)('%s', async (scope) => {
    const { api } = await keyWith([scope]);
    for (const [key, route] of Object.entries(routes)) {
      if (['open', 'any', 'operator'].includes(route.scope)) continue;
      const [method, path] = key.split(' ') as [string, string];
      const url = path.replace(/\{\w+\}/g, 'x');
      const { status, body } = await api.call(method, url, route.body ? { nonsense: 1 } : undefined);
      if (route.scope === scope && !route.alsoScope) expect(status, key).not.toBe(403);
      else expect([status, refusalIn(body).code], key).toEqual([403, 'forbidden']);
      expect(status, key).not.toBe(401);
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

test.each([
  ['years', 5 * 365 * 86_400_000],
  ['a second', 1_000],
])('a key that would have expired %s ago is refused', async (_, ms) => {
  const at = new Date(Date.now() - ms).toISOString();
  const asked = { name: 'late', scopes: ['context:read'], expires_at: at };
  expect(await admin.call('POST', '/v1/keys', asked)).toMatchObject({
    status: 422,
    body: {
      code: 'invalid_request',
      errors: [{ path: '/expires_at', message: 'must be in the future, by the clock of the server' }],
    },
  });
  const garbage = await admin.call('POST', '/v1/keys', { ...asked, expires_at: 'garbage' });
  expect(garbage).toMatchObject({ status: 422, body: { errors: { length: 1 } } });
  const { data } = (await admin.call<{ data: { name: string }[] }>('GET', '/v1/keys')).body;
  expect(data.filter(({ name }) => name === 'late')).toEqual([]);
});

test(
  'the process that revokes a key, or ends a session, refuses it from then on',
  { tags: 'long' },
  async () => {
    const status = async (key: string) =>
      (await apiOf({ url: patient.url, key }).call('GET', '/v1/threads')).status;
    // One that trusts a key for as long as in production.
    const patient = await stack.startApi({ SPILLWAY_TIME_DIVISOR: '1' });
    const there = apiOf({ url: patient.url, key: stack.key });
    for (let i = 0; i < 5; i++) {
      const { id, key } = await keyWith(['admin']);
      const { token } = (
        await apiOf({ url: patient.url, key }).call<{ token: string }>('POST', '/v1/sessions')
      ).body;
      const other = apiOf({ url: patient.url, key: token });
      expect([await status(key), await status(token)]).toEqual([200, 200]);
      // Some are looked up while it is revoked.
      const asked = Array.from({ length: 10 }, () => status(key));
      expect((await there.call('DELETE', `/v1/keys/${id}`)).status).toBe(204);
      expect([await status(key), await status(token)]).toEqual([401, 401]);
      await Promise.all(asked);
      expect([await status(key), (await other.call('GET', '/v1/threads')).status]).toEqual([401, 401]);
    }
    const { token } = (await there.call<{ token: string }>('POST', '/v1/sessions')).body;
    expect(await status(token)).toBe(200);
    const session = apiOf({ url: patient.url, key: token });
    expect((await session.call('DELETE', '/v1/sessions/current')).status).toBe(204);
    expect(await status(token)).toBe(401);
    await patient.stop();
  },
);

test('A6 unknown, wrong, expired and revoked keys are answered alike', async () => {
  const expired = await keyWith(['context:read'], {
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await rowsOf(stack.databaseUrl, `UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [
    expired.id,
  ]);
  const revoked = await keyWith(['context:read']);
  expect((await revoked.api.call('GET', '/v1/threads')).status).toBe(200);
  expect((await admin.call('DELETE', `/v1/keys/${revoked.id}`)).status).toBe(204);
  await untilRefused(revoked.api);
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

test('the last admin key cannot be revoked, another one can', async () => {
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
    expect(await untilRefused(person)).toBe(401);
  });

  test('ends with its key', async () => {
    const { id, api } = await keyWith(['context:read']);
    const { body } = await api.call<{ token: string }>('POST', '/v1/sessions');
    const person = apiOf({ url: stack.url, key: body.token });
    expect((await person.call('GET', '/v1/threads')).status).toBe(200);
    await admin.call('DELETE', `/v1/keys/${id}`);
    expect(await untilRefused(person)).toBe(401);
  });
});

describe('a session that makes keys', () => {
  interface Made {
    expires_at: string | null;
    code: string;
  }
  const begin = async (by: Api) => {
    const { body } = await by.call<{ token: string }>('POST', '/v1/sessions');
    return apiOf({ url: stack.url, key: body.token });
  };
  const make = (by: Api, more: object = {}) =>
    by.call<Made>('POST', '/v1/keys', { name: 'made', scopes: ['context:read'], ...more });
  /** As if the sessions had begun longer ago. */
  const age = () =>
    rowsOf(stack.databaseUrl, `UPDATE sessions SET proved_at = proved_at - interval '6 minutes'`);

  test('A104 shows its own key again first, unless it did so in the last minutes', async () => {
    const person = await begin(admin);
    expect((await make(person)).status).toBe(201);
    await age();
    expect(await make(person)).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
    const other = await keyWith(['admin']);
    const prove = (key: string) => person.call('POST', '/v1/sessions/current/proof', { key });
    for (const key of [other.key, 'sw_nonsense']) expect((await prove(key)).status).toBe(403);
    expect((await make(person)).status).toBe(403);
    expect((await prove(stack.key)).status).toBe(204);
    expect((await make(person)).status).toBe(201);
    await age();
    for (let n = 0; n < 10; n++) await prove('sw_nonsense');
    expect((await prove(stack.key)).status).toBe(429);
    // A key needs no proof.
    expect((await make(admin)).status).toBe(201);
    expect((await admin.call('POST', '/v1/sessions/current/proof', { key: stack.key })).status).toBe(422);
  });

  test('A117 nor an address that the data of its project goes to or a secret that signs it, which would outlive it', async () => {
    const person = await begin(admin);
    const upstream = (base_url: string) => ({ base_url, key: null });
    const calls = (by: Api) => [
      by.call('PUT', '/v1/upstreams/openai', upstream('https://example.com/v1')),
      by.call('POST', '/v1/webhooks', { url: 'https://example.com/theirs' }),
      by.call('PATCH', `/v1/webhooks/${hook}`, { url: 'https://example.com/theirs' }),
      by.call('POST', `/v1/webhooks/${hook}/rotate-secret`, {}),
    ];
    const { body } = await admin.call<{ id: string }>('POST', '/v1/webhooks', {
      url: 'https://example.com/',
    });
    const hook = body.id;
    await age();
    for (const answer of await Promise.all(calls(person)))
      expect(answer).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
    // What leads nowhere else needs no proof.
    const off = { enabled: false };
    expect((await person.call('PATCH', `/v1/webhooks/${hook}`, off)).status).toBe(200);
    expect((await person.call('POST', '/v1/sessions/current/proof', { key: stack.key })).status).toBe(204);
    for (const answer of await Promise.all(calls(person))) expect(answer.status).toBeLessThan(300);
    for (const answer of await Promise.all(calls(admin))) expect(answer.status).toBeLessThan(300);
  });

  test('A104 makes keys that end, unless it says that they do not', async () => {
    const person = await begin(admin);
    const { expires_at: end } = (await make(person)).body;
    const days = (Date.parse(end!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThan(91);
    expect((await make(person, { expires_at: null })).body.expires_at).toBe(null);
    expect((await make(admin)).body.expires_at).toBe(null);
  });
});

test('A105 an open stream does not keep a session alive', async () => {
  const { body } = await admin.call<{ token: string }>('POST', '/v1/sessions');
  const stream = await openEvents({ url: stack.url, key: body.token });
  expect(stream.status).toBe(200);
  await rowsOf(
    stack.databaseUrl,
    `UPDATE sessions SET seen_at = seen_at - interval '29 minutes' WHERE ended_at IS NULL`,
  );
  // Two looks at the callers of open streams: neither counts as a request.
  await sleep(1_000);
  await rowsOf(
    stack.databaseUrl,
    `UPDATE sessions SET seen_at = seen_at - interval '2 minutes' WHERE ended_at IS NULL`,
  );
  await stream.ended;
  await until('the session is over', async () => {
    const person = apiOf({ url: stack.url, key: body.token });
    return (await person.call('GET', '/v1/threads')).status === 401;
  });
});

describe('A106 an answer holds what the scopes of its key allow', () => {
  const secret = 'the launch code is 0451';
  let outputId: string;
  beforeAll(async () => {
    await admin.createThread({ id: 'held', system: secret, tools: [{ name: secret }] });
    // Lines of one shape, so that a preview shows the first and the last of them only.
    const content = Array.from({ length: 6_000 }, (_, n) =>
      n === 3_000 ? secret : `the launch code is ${10_000 + n}`,
    ).join('\n');
    const posted = await admin.append('held', { role: 'user', content: 'run it' }, ...toolRun('c', content));
    outputId = posted.messages[2]!.output!.id;
  });
  const textOf = ({ body }: { body: unknown }) => JSON.stringify(body);

  test('without outputs:read no list, search or export holds what outputs say', async () => {
    const { api } = await keyWith(['context:read']);
    const paths = [
      'messages?view=original',
      'messages',
      'search?q=0451',
      'export?format=jsonl',
      'export?format=markdown',
    ];
    for (const path of paths) {
      const held = (by: Api) => by.call('GET', `/v1/threads/held/${path}`).then(textOf);
      const mine = await held(api);
      // The thread itself is the first line of an export, with its system prompt.
      const without = path.startsWith('export') ? mine.split(secret).length - 1 : 0;
      const all = (await held(admin)).split(secret).length - 1;
      expect(mine, path).not.toContain('code is 12999');
      expect(all, path).toBeGreaterThan(without);
      if (!path.startsWith('export')) expect(mine, path).not.toContain(secret);
    }
    expect((await api.call('GET', `/v1/outputs/${outputId}/content`)).status).toBe(403);
  });

  test('without outputs:read none is put whole into contexts', async () => {
    const { api } = await keyWith(['messages:write', 'context:read']);
    expect(await api.call('POST', `/v1/outputs/${outputId}/keep`)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('outputs:read') as string },
    });
    expect((await api.call('POST', `/v1/outputs/${outputId}/release`)).status).toBe(200);
  });

  test('without context:read no change of a thread answers its system prompt', async () => {
    const { api } = await keyWith(['threads:manage']);
    for (const [method, path, body] of [
      ['PATCH', '/v1/threads/held', { metadata: { a: 'b' } }],
      ['POST', '/v1/threads/held/retry', undefined],
    ] as const) {
      const mine = await api.call(method, path, body);
      expect(mine.status, path).toBe(200);
      expect(textOf(mine)).not.toContain(secret);
      expect(textOf(await admin.call(method, path, body)), path).toContain(secret);
    }
  });

  test('without context:read a restored summary is answered without its text', async () => {
    const policy = { context: { context_window: 20_000, min_reclaim_ratio: 0, reserve_ratio: 0.02 } };
    await admin.createThread({ id: 'restored', policy });
    for (let n = 0; n < 12; n++)
      await admin.append('restored', { role: 'user', content: `note ${n} `.repeat(400) });
    const worker = await stack.startWorker({ SPILLWAY_POLL_MS: '200' });
    await admin.call('POST', '/v1/threads/restored/compactions', { wait_ms: 30_000 });
    expect(await admin.summaries('restored')).not.toEqual([]);
    await worker.stop();
    const { api } = await keyWith(['threads:manage']);
    const mine = await api.call<object>('POST', '/v1/threads/restored/summaries/1/restore');
    expect(mine.status).toBe(200);
    expect(Object.keys(mine.body)).not.toContain('text');
    expect(Object.keys(mine.body)).not.toContain('fields');
    expect(textOf(mine)).not.toContain('note 1');
  });
});

test('A14 whoever guesses keys is told to wait, and good keys go on', async () => {
  const guess = (n: number) => apiOf({ url: stack.url, key: `sw_guess_${n}` }).call('GET', '/v1/threads');
  expect((await guess(0)).status).toBe(401);
  // The limit counts in windows of ten seconds: one that began with an earlier test may end among these guesses.
  let next = 1;
  await until('a guess is told to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(next++)));
    return answers.some(({ status }) => status === 429);
  });
  expect((await admin.call('GET', '/v1/threads')).status).toBe(200);
});
