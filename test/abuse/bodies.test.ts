import { rowsOf } from '@spillway/testing';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hostile, type Problem } from './hostile.js';

const { api, key, refused, stack } = hostile('bodies');
const messages = '/v1/threads/there/messages';
const posted = (body: string, headers?: Record<string, string>) => refused('POST', messages, body, headers);
const holding = (extra: string) => `{"messages":[{"role":"user","content":"x","extra":${extra}}]}`;

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

beforeAll(() => api.append('there', { role: 'user', content: 'hello' }));
afterEach(async () => expect((await api.thread('there')).last_seq).toBe(1));

/** A body that fetch would not send as it is. */
async function bytes(body: string | Blob | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const answer = await fetch(stack.url + messages, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Problem };
}

describe('A17 what is not one JSON document is refused', () => {
  test.each([
    '{',
    '{"a":1,}',
    '{}{}',
    '\uFEFF{"messages":[]}',
    "{'a':1}",
    'NaN',
    '{"a":01}',
    '// x\n{}',
    '\0',
  ])('%j', async (body) => expect(await posted(body)).toMatchObject({ status: 400, code: 'malformed_json' }));
  test('an empty body is an empty request', async () => {
    expect((await bytes('')).status).toBe(422);
  });
});

test('A18 a media type that is not JSON in UTF-8 is refused', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-7',
    'application/json;charset="utf-16"',
    'application/xml',
    'application/jsonx',
    'x',
  ]) {
    const problem = await posted('{}', { 'content-type': type });
    expect(problem, type).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  }
  const none = await bytes(new Blob(['{}'], { type: '' }), { 'content-type': '' });
  expect(none.status).toBe(415);
  expect((await bytes('{}', { 'content-type': 'APPLICATION/JSON; charset=UTF-8' })).status).toBe(422);
});

test('A19 bytes that are not UTF-8 are refused, not replaced', async () => {
  const texts = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
  for (const invalid of texts) {
    const body = Buffer.concat([
      Buffer.from('{"messages":[{"role":"user","content":"'),
      Buffer.from(invalid),
      Buffer.from('"}]}'),
    ]);
    expect(await bytes(body)).toMatchObject({ status: 400, body: { code: 'invalid_utf8' } });
  }
});

test('A20 a body over 8 MiB is refused, and the refusal arrives', async () => {
  const problem = await posted(holding(`"${'x'.repeat(9 * 1024 * 1024)}"`));
  expect(problem).toMatchObject({ status: 413, code: 'body_too_large' });
});

test('A21 compressed bodies are refused unread', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'br, gzip', 'gzip, gzip', 'identity, gzip', 'x']) {
    const answer = await bytes('{}', { 'content-encoding': encoding });
    expect(answer, encoding).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  }
});

test('A24 JSON nested 65 or 100,000 deep is refused before it is parsed', async () => {
  for (const body of [
    nested(65, '[', ']'),
    nested(100_000, '[', ']'),
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    '['.repeat(5_000_000),
    holding(nested(62, '[', ']')),
  ]) {
    expect(await posted(body)).toMatchObject({ status: 422, code: 'body_too_complex' });
  }
});

test('A25 a million keys or elements, or a key of 200 KB, are refused before they are parsed', async () => {
  const keys = Array.from({ length: 500_000 }, (_, i) => `"k${i}":1`).join(',');
  for (const body of [
    `{${keys}}`,
    holding(`{${keys}}`),
    holding(`[${'1,'.repeat(1_000_000)}1]`),
    holding(`[${'{},'.repeat(1_000_000)}{}]`),
    `{"${'k'.repeat(200_000)}":1}`,
  ]) {
    const problem = await posted(body);
    expect(problem).toMatchObject({ status: 422, code: 'body_too_complex' });
  }
});

test('A25 a list of 200,000 wrong parts is refused with the first of its problems', async () => {
  const parts = `[${'1,'.repeat(199_999)}1]`;
  const problem = await posted(`{"messages":[{"role":"user","content":${parts}}]}`);
  expect(problem).toMatchObject({ status: 422, code: 'invalid_request' });
  expect(problem.errors!.length).toBeLessThanOrEqual(20);
});

describe('A26 keys that reach a prototype are refused, wherever they are', () => {
  test.each([
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"\\u005f_proto__":{"x":1}}',
    holding('{"__proto__":{"x":1}}'),
    holding('[[{"constructor":{"prototype":1}}]]'),
    '{"metadata":{"__proto__":"x"}}',
  ])('%s', async (body) => {
    for (const [method, path] of [
      ['POST', messages],
      ['POST', '/v1/threads'],
      ['PUT', '/v1/policy'],
    ] as const) {
      expect((await refused(method, path, body)).status).toBe(422);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });
  test('in a query', async () => {
    for (const query of ['__proto__=1', 'a[__proto__][x]=1', '__proto__[x]=1', 'constructor.prototype.x=1'])
      expect((await refused('GET', `/v1/threads?${query}`)).status).toBe(422);
  });
});

describe('A27 a key that is there twice is refused, and the pointer says where', () => {
  test.each([
    ['{"messages":[{"role":"user","role":"system","content":"x"}]}', '/messages/0/role'],
    ['{"messages":[],"messages":[{"role":"user","content":"x"}]}', '/messages'],
    ['{"messages":[{"role":"user","r\\u006fle":"system","content":"x"}]}', '/messages/0/role'],
    [holding('{"a/b":{"~":1,"~":2}}'), '/messages/0/extra/a~1b/~0'],
  ])('%s', async (body, path) => {
    const problem = await posted(body);
    expect(problem).toMatchObject({ status: 422, code: 'duplicate_key', errors: [{ path }] });
  });
});

test('A27 what a model may write into the input of a call is kept as a text', async () => {
  const call = (input: string) =>
    `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${input}}]}]}`;
  for (const [i, input] of [
    '{"a":1,"a":2}',
    '{"a":{"\\u005f_proto__":{"x":1}}}',
    `{"a":${nested(100_000, '[', ']')},"b":"]}"}`,
    `{"a":[${'1,'.repeat(1_000_000)}1]}`,
    `{"${'k'.repeat(200_000)}":1234567890123456789}`,
  ].entries()) {
    const path = `/v1/threads/inputs-${i}/messages?format=anthropic`;
    expect((await api.call('POST', path, call(input))).status).toBe(201);
    const [recorded] = await api.originals(`inputs-${i}`);
    expect(recorded!.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'f', input: { json: input } }]);
  }
  for (const input of ['{"a":1,"a":2},"name":"g"', '{"a":1,"a":[}', '{"a":1,"a":2', '[1,1]'])
    expect((await refused('POST', `${messages}?format=anthropic`, call(input))).status).toBeLessThan(500);
  expect(({} as { x?: number }).x).toBeUndefined();
});

test('A32 objects and lists where a text was expected are refused', async () => {
  for (const wrong of [{ not: '' }, { in: ['user'] }, ['user'], { $gt: '' }]) {
    for (const field of ['id', 'role', 'content', 'pinned']) {
      const message = { role: 'user', content: 'x', [field]: wrong };
      const problem = await refused('POST', messages, { messages: [message] });
      expect(problem, field).toMatchObject({ status: 422, code: 'invalid_request' });
      expect(problem.errors![0]!.path).toMatch(new RegExp(`^/messages/0/${field}`));
    }
    for (const field of ['id', 'model', 'system'])
      expect((await refused('POST', '/v1/threads', { [field]: wrong })).status).toBe(422);
  }
});

test('no refusal repeats a value or a thousand keys', async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`unknown-${i}`, 'planted-value']));
  const problem = await refused('POST', '/v1/threads', { ...many, id: { planted: 'planted-value' } });
  expect(JSON.stringify(problem)).not.toContain('planted-value');
  expect(problem.errors!.length).toBeLessThanOrEqual(20);
  expect(JSON.stringify(await posted('{"planted-value')).includes('planted-value')).toBe(false);
});

test('nothing refused was written', async () => {
  const [row] = await rowsOf<{ n: string }>(
    stack.databaseUrl,
    `SELECT count(*) AS n FROM threads t JOIN projects p ON p.id = t.project_id WHERE p.name = 'bodies-ours' AND t.id NOT LIKE 'inputs-%'`,
  );
  expect(row!.n).toBe('1');
});
