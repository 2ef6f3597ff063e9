import { apiOf } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, everyRoute, queryOf } from './every-route.js';
import { hostile, raw, statuses, type Problem } from './hostile.js';

const { api, key, refused, strangers, stack } = hostile('routes');
const routes = await everyRoute(stack.url);
let outputId: string;
beforeAll(async () => {
  const posted = await api.append(
    'secret',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'word '.repeat(20_000) },
  );
  outputId = posted.messages[1]!.output!.id;
});

describe('A1 another project asks for what is ours, and learns as much as of what is not there', () => {
  // These make a thread of one's own: see below, and test/threads/backup.test.ts.
  const makesThread = ['putThread', 'restoreThread'];
  const named = routes.filter(
    ({ path, id }) => /^\/v1\/(threads|outputs)\/\{id\}/.test(path) && !makesThread.includes(id),
  );
  test.each(named)('$method $path', async (route) => {
    const ask = async (id: string) => {
      const url =
        route.path
          .replace('{id}', id)
          .replace('{generation}', '1')
          .replace('{seq}', '1')
          .replace('{token_id}', '00000000-0000-4000-8000-000000000000')
          .replace('{instruction_id}', '1-0') + queryOf(route);
      const { status, body } = await strangers.call<object>(route.method, url, bodyOf(route));
      const text = JSON.stringify({ ...body, request_id: '' }).replaceAll(id, 'ID');
      return { status, text };
    };
    const isOutput = route.path.startsWith('/v1/outputs');
    const ours = await ask(isOutput ? outputId : 'secret');
    const nobodys = await ask(isOutput ? `out_${'0'.repeat(32)}` : 'nobody');
    expect(ours).toEqual(nobodys);
    // Posting to an unknown id makes a thread of one's own: the id is free in this project.
    if (route.id === 'appendMessages') {
      expect(ours.status).toBe(201);
      for (const id of ['secret', 'nobody']) await strangers.call('DELETE', `/v1/threads/${id}`);
    } else expect([404, 422].includes(ours.status) && ours.status, route.id).toBe(404);
    expect((await api.thread('secret')).last_seq).toBe(2);
  });
  test('PUT makes a thread of its own, and answers as for an id that nobody has', async () => {
    await api.call('PUT', '/v1/threads/put-here', { system: 'ours alone' });
    const ask = async (id: string) => {
      const made = await strangers.call<object>('PUT', `/v1/threads/${id}`, { model: 'x' });
      const { created_at, updated_at, ...rest } = made.body as Record<string, unknown>;
      expect(created_at).toBe(updated_at);
      return { status: made.status, text: JSON.stringify(rest).replaceAll(id, 'ID') };
    };
    expect(await ask('put-here')).toEqual(await ask('put-nowhere'));
    expect(await api.thread('put-here')).toMatchObject({ system: 'ours alone', model: null });
  });
  test('every route with an id is among them', () => {
    expect(named.length).toBeGreaterThanOrEqual(17);
  });
});

test("A2 an output is its project's, whichever thread is asked", async () => {
  await strangers.createThread({ id: 'secret' }).catch(() => undefined);
  const listed = await strangers.call<{ data?: unknown[] }>('GET', '/v1/threads/secret/outputs');
  expect(listed.body.data ?? []).toEqual([]);
  for (const path of ['', '/content', '/grep?pattern=word', '/outline', '/pin'])
    expect(
      (await strangers.call(path === '/pin' ? 'POST' : 'GET', `/v1/outputs/${outputId}${path}`)).status,
    ).toBe(404);
});

test('A3 a cursor of one project is a place in the other, and one that was changed is refused', async () => {
  await api.append(
    'listed',
    ...Array.from({ length: 5 }, (_, i) => ({ role: 'user', content: `ours ${i}` })),
  );
  const page = await api.call<{ next_cursor: string }>('GET', '/v1/threads/listed/messages?limit=2');
  await strangers.append('listed', { role: 'user', content: 'theirs' });
  const cursor = page.body.next_cursor;
  const theirs = await strangers.call('GET', `/v1/threads/listed/messages?cursor=${cursor}`);
  expect(JSON.stringify(theirs.body)).not.toContain('ours');
  for (const bad of [
    'nonsense',
    `${cursor}=`,
    `${cursor}%3D%3D`,
    `%20${cursor}`,
    'cDAx',
    cursor.slice(1),
    'cDk5OTk5OTk5OTk5OTk5',
    'cC0x',
    '%00',
    'x'.repeat(600),
  ])
    expect((await refused('GET', `/v1/threads/listed/messages?cursor=${bad}`)).status, bad).toBe(422);
});

test('A4 fields that are ours to set are refused', async () => {
  for (const field of [
    'tenant_id',
    'tenantId',
    'project_id',
    'seq',
    'created_at',
    'createdAt',
    'next_seq',
    'uid',
  ])
    for (const [method, path] of [
      ['POST', '/v1/threads'],
      ['PATCH', '/v1/threads/secret'],
      ['POST', '/v1/threads/secret/messages'],
      ['POST', '/v1/threads/secret/compactions'],
      ['PUT', '/v1/policy'],
    ] as const)
      expect((await refused(method, path, { [field]: 'x' })).status, `${path} ${field}`).toBe(422);
});

test('A4 in a message they are content: kept, and without effect', async () => {
  const message = {
    role: 'user',
    content: 'x',
    seq: 900,
    project_id: 'other',
    created_at: '1970-01-01T00:00:00Z',
  };
  const { messages } = await api.append('assigned', message);
  expect(messages[0]!.seq).toBe(1);
  expect(await api.originals('assigned')).toEqual([message]);
});

describe('A7 a key is one Authorization header and nothing else', () => {
  const ask = (lines: string) =>
    raw(`GET /v1/threads HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`, { keepOpen: true });
  test('not a query, another header or a cookie', async () => {
    for (const name of ['key', 'api_key', 'access_token', 'token', 'authorization'])
      expect((await fetch(`${stack.url}/v1/threads?${name}=${key}`)).status).toBe(401);
    for (const line of [`X-Api-Key: ${key}`, `Cookie: key=${key}`, `Proxy-Authorization: Bearer ${key}`])
      expect(statuses(await ask(`${line}\r\n`)), line).toEqual([401]);
  });
  test('not two of them, whichever is good', async () => {
    const [good, bad] = [`Authorization: Bearer ${key}\r\n`, 'Authorization: Bearer nope\r\n'];
    for (const lines of [good + bad, bad + good, good + good, good.toLowerCase() + good])
      expect(statuses(await ask(lines))).toEqual([401]);
  });
  test.each([
    ['100 KB', 'x'.repeat(100_000), [401, 431]],
    ['10 KB', `Bearer ${'x'.repeat(10_000)}`, [401]],
    ['no ASCII', 'Bearer schlüssel', [401]],
    ['empty', 'Bearer ', [401]],
    ['with a space within', `Bearer ${'a b'}`, [401]],
    ['Basic', `Basic ${Buffer.from('a:b').toString('base64')}`, [401]],
    ['a list', 'Bearer a, Bearer b', [401]],
  ])('not %s', async (_what, value, expected) => {
    const [status] = statuses(await ask(`Authorization: ${value}\r\n`));
    expect(expected).toContain(status);
  });
  test('the name of the scheme is of any case, and white space around is none of the key', async () => {
    for (const value of [`bearer ${key}`, `BEARER ${key}`, `Bearer ${key} `])
      expect(statuses(await ask(`Authorization: ${value}\r\n`)), value).toEqual([200]);
  });
  test('a refusal does not repeat what was sent', async () => {
    const answer = await apiOf({ url: stack.url, key: 'planted-key-value' }).call<Problem>(
      'GET',
      '/v1/threads',
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(JSON.stringify(answer.body)).not.toContain('planted');
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="spillway", error="invalid_token", /,
    );
  });
});

test("A11 the same message id in two projects is two messages, and neither knows the other's", async () => {
  const id = 'message-1';
  const [mine] = (await api.append('same', { role: 'user', content: 'mine', id })).messages;
  const [theirs] = (await strangers.append('same', { role: 'user', content: 'theirs', id })).messages;
  expect([mine!.seq, theirs!.seq]).toEqual([1, 1]);
  expect((await api.originals('same'))[0]!.content).toBe('mine');
  expect((await strangers.originals('same'))[0]!.content).toBe('theirs');
});

test('A8 without a key every route says the same, whatever follows', async () => {
  for (const { method, path } of routes) {
    const url = path.replace(/\{\w+\}/g, '%00..%2f');
    const answer = await fetch(stack.url + url, { method });
    expect(answer.status, `${method} ${path}`).toBe(401);
  }
});
