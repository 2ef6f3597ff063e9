import { request } from 'node:http';
import { apiOf, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  await api.append('there', { role: 'user', content: 'hello' });
});
afterAll(() => stack?.stop());

/** Nothing refused may leave a trace. */
const footprint = () =>
  rowsOf(
    stack.databaseUrl,
    `SELECT (SELECT count(*) FROM threads) AS threads, (SELECT count(*) FROM messages) AS messages,
      (SELECT count(*) FROM outputs) AS outputs, (SELECT policy FROM projects WHERE name = 'default') AS policy,
      (SELECT count(*) FROM model_overrides) AS overrides`,
  );
let before: unknown;
beforeAll(async () => (before = await footprint()));
afterEach(async () => {
  const after = await footprint();
  const expected = before;
  before = after;
  expect(after).toEqual(expected);
});

interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors?: { path: string }[];
  request_id: string;
}

async function refused(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Problem> {
  const answer = await api.call<Problem>(method, path, body, headers);
  expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body.status).toBe(answer.status);
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.body.code).toMatch(/^[a-z_0-9]+$/);
  return answer.body;
}

const writes: [string, string][] = [
  ['POST', '/v1/threads'],
  ['PATCH', '/v1/threads/there'],
  ['POST', '/v1/threads/there/messages'],
  ['POST', '/v1/threads/there/compactions'],
  ['PUT', '/v1/policy'],
  ['PUT', '/v1/models/gpt-4o'],
];

describe.each(writes)('%s %s refuses', (method, path) => {
  test.each([
    ['truncated JSON', '{"a":'],
    ['two documents', '{}{}'],
    ['a trailing comma', '{"a":1,}'],
    ['a byte order mark', '\uFEFF{}'],
    ['a JSON string', '"text"'],
    ['a JSON array', '[]'],
    ['null', 'null'],
    ['an unknown key', '{"surprise":1}'],
    ['__proto__', '{"__proto__":{"x":1}}'],
    ['an escaped __proto__', '{"\\u005f_proto__":{"x":1}}'],
    ['constructor', '{"constructor":{"prototype":{"x":1}}}'],
    ['deep nesting', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a body over the limit', JSON.stringify({ a: 'x'.repeat(9 * 1024 * 1024) })],
  ])('%s', async (_what, body) => {
    await refused(method, path, body);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test('invalid UTF-8', async () => {
    const answer = await raw(method, path, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_utf8' } });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'the media type %s',
    async (type) => {
      expect((await refused(method, path, '{}', { 'content-type': type })).status).toBe(415);
    },
  );
});

const user = (content: unknown) => ({ role: 'user', content });
const badMessages: [string, unknown][] = [
  ['no messages', { messages: [] }],
  ['messages that are no array', { messages: {} }],
  ['too many', { messages: Array.from({ length: 1_001 }, () => user('x')) }],
  ['an unknown role', { messages: [{ role: 'wizard', content: 'x' }] }],
  ['no role', { messages: [{ content: 'x' }] }],
  ['a role that is a list', { messages: [{ role: ['user'], content: 'x' }] }],
  ['content that is a number', { messages: [user(1)] }],
  ['content that is null', { messages: [user(null)] }],
  ['content that is an object', { messages: [user({ not: '' })] }],
  ['parts without a type', { messages: [user([{ text: 'x' }])] }],
  ['a tool result without its call id', { messages: [{ role: 'tool', content: 'x' }] }],
  [
    'a call without an id',
    { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '' } }] }] },
  ],
  [
    'arguments that are no string',
    { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] }] },
  ],
  ['an id with a space', { messages: [{ ...user('x'), id: 'a b' }] }],
  ['an id that is an object', { messages: [{ ...user('x'), id: { not: '' } }] }],
  ['an id with NUL', { messages: [{ ...user('x'), id: 'a\0' }] }],
  ['pinned that is no boolean', { messages: [{ ...user('x'), pinned: 'yes' }] }],
  ['a fingerprint that is a number', { messages: [user('x')], usage: { input_tokens: 1 }, fingerprint: 7 }],
];

test.each(['garbage', '', '2026-11-21T08:00:00', '2026-13-01T00:00:00Z'])(
  'sent_at %j gets one message, that it is no time',
  async (at) => {
    const messages = [{ role: 'user', content: 'hello', sent_at: at }];
    const { errors } = await refused('POST', '/v1/threads/there/messages', { messages });
    expect(errors).toEqual([
      {
        path: '/messages/0/sent_at',
        message: 'must be a time with an offset, like 2026-11-21T08:00:00Z',
      },
    ]);
  },
);

describe('messages', () => {
  test.each(badMessages)('%s', async (_what, body) => {
    const problem = await refused('POST', '/v1/threads/there/messages', body);
    expect(problem).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(problem.errors![0]!.path).toMatch(/^\//);
  });

  test('one bad message of two hundred: the problem says which, and nothing is written', async () => {
    const messages: unknown[] = Array.from({ length: 200 }, (_, i) => user(`m ${i}`));
    messages[136] = { role: 'user' };
    const problem = await refused('POST', '/v1/threads/there/messages', { messages });
    expect(problem.errors![0]!.path).toMatch(/^\/messages\/136/);
  });

  test('a pinned message that would fill every context', async () => {
    const messages = [{ ...user('word '.repeat(20_000)), pinned: true }];
    expect((await refused('POST', '/v1/threads/there/messages', { messages })).code).toBe('pinned_too_large');
  });
});

const nasty = ['\0', 'a\0b', '\ud800', '\udc00x'];
const badThreads: [string, object | string][] = [
  ...nasty.flatMap((text): [string, object][] => [
    [`an id of ${JSON.stringify(text)}`, { id: text }],
    [`a model of ${JSON.stringify(text)}`, { model: text }],
    [`a system prompt of ${JSON.stringify(text)}`, { system: text }],
    [`metadata of ${JSON.stringify(text)}`, { metadata: { key: text } }],
    [`a metadata key of ${JSON.stringify(text)}`, { metadata: { [text]: 'x' } }],
    [`an exempt tool of ${JSON.stringify(text)}`, { policy: { outputs: { exempt_tools: [text] } } }],
  ]),
  ['an empty id', { id: '' }],
  ['an id of 201 characters', { id: 'x'.repeat(201) }],
  ['an id with a slash', { id: 'a/b' }],
  ['an id that addresses leave out', { id: '.' }],
  ['an id that addresses take for the folder above', { id: '..' }],
  ['metadata that is nested', { metadata: { a: { b: 1 } } }],
  ['a project of its own choice', { project_id: 'x' }],
  ['a seq of its own choice', { next_seq: 7 }],
  ['a ratio of 0', { policy: { context: { trigger_ratio: 0 } } }],
  ['a ratio over 0.9', { policy: { context: { trigger_ratio: 0.95 } } }],
  ['a window of -1', { policy: { context: { context_window: -1 } } }],
  ['a window of 1e400', '{"policy":{"context":{"context_window":1e400}}}'],
  ['a window that is text', { policy: { context: { context_window: '8k' } } }],
  ['a policy key nobody knows', { policy: { context: { tigger_ratio: 0.5 } } }],
  [
    'a reserve over the trigger',
    { policy: { context: { context_window: 10_000, trigger_ratio: 0.1, reserve_ratio: 0.5 } } },
  ],
  [
    'an answer as large as the window',
    { policy: { context: { context_window: 10_000, response_reserve: 10_000 } } },
  ],
  ['a provider that is not configured', { policy: { summary: { provider: 'anthropic' } } }],
];

test.each(badThreads)('a thread with %s', async (_what, body) => {
  expect((await refused('POST', '/v1/threads', body)).status).toBe(422);
});

describe('addresses and queries', () => {
  test.each([
    ['/v1/threads/nowhere', 404],
    ['/v1/threads/nowhere/context', 404],
    ['/v1/threads/nowhere/messages', 404],
    ['/v1/threads/nowhere/summaries', 404],
    ['/v1/threads/nowhere/compactions', 404],
    ['/v1/threads/nowhere/outputs', 404],
    ['/v1/threads/there/summaries/1', 404],
    ['/v1/threads/there/summaries/0', 422],
    ['/v1/threads/there/summaries/x', 422],
    ['/v1/threads/there/summaries/99999999999', 422],
    [`/v1/outputs/out_${'0'.repeat(32)}`, 404],
    [`/v1/outputs/out_${'0'.repeat(32)}/content`, 404],
    [`/v1/outputs/out_${'0'.repeat(32)}/grep?pattern=x`, 404],
    ['/v1/outputs/..%2f..%2fetc%2fpasswd', 404],
    ['/v1/outputs/x/content', 404],
    ['/v1/threads/a%00b', 422],
    ['/v1/threads/a%2fb', 422],
    ['/v1/threads/%ff', 400],
    ['/v1/threads/%E0%A4%A', 400],
    ['/nowhere', 404],
    ['/v1/threads?limit=0', 422],
    ['/v1/threads?limit=-1', 422],
    ['/v1/threads?limit=1.5', 422],
    ['/v1/threads?limit=1e3', 422],
    ['/v1/threads?limit=', 422],
    ['/v1/threads?limit=2147483648', 422],
    ['/v1/threads?limit=1&limit=2', 422],
    ['/v1/threads?limit[]=1', 422],
    ['/v1/threads?surprise=1', 422],
    ['/v1/threads?state=sleepy', 422],
    ['/v1/threads?sort=id;drop', 422],
    ['/v1/threads?cursor=nonsense', 422],
    ['/v1/threads?q=a%00b', 422],
    ['/v1/threads?q=%ff', 400],
    ['/v1/threads?q=%E0%A4%A', 400],
    ['/v1/threads?q=100%', 400],
    ['/v1/threads/there/messages?after=-1', 422],
    ['/v1/threads/there/messages?view=inside-out', 422],
    ['/v1/threads/there/context?max_tokens=0', 422],
    ['/v1/threads/there/context?max_tokens=1', 422],
    ['/v1/threads/there/context?max_tokens=99999999999999999999', 422],
    ['/v1/threads/there/context?at=0', 422],
    ['/v1/threads/there/context?at=2', 422],
    ['/v1/threads/there/context?format=morse', 422],
    ['/v1/threads/there/context?system=%00', 422],
  ])('GET %s is %i', async (path, status) => {
    expect((await refused('GET', path)).status).toBe(status);
  });

  test.each([
    ['GET', '/v1/threads/a%2fb', '/id'],
    ['GET', '/v1/threads/a%2fb/context', '/id'],
    ['POST', '/v1/threads/a%2fb/messages', '/id'],
    ['GET', '/v1/threads/there/summaries/x', '/generation'],
    ['GET', '/v1/threads/there/messages/0', '/seq'],
    ['DELETE', '/v1/upstreams/x', '/provider'],
  ])('%s %s names the part of the path that is wrong: %s', async (method, path, pointer) => {
    const { detail, errors } = await refused(method, path, method === 'POST' ? {} : undefined);
    expect(errors).toMatchObject([{ path: pointer }]);
    expect(detail).toMatch(new RegExp(`^${pointer}: `));
  });

  const unknown = '11111111-1111-1111-1111-111111111111';
  test.each([
    ['GET', '/v1/outputs/', 'x', 'output_not_found'],
    ['GET', '/v1/outputs/', `out_${'0'.repeat(32)}`, 'output_not_found'],
    ['GET', '/v1/outputs/', 'x/content', 'output_not_found'],
    ['POST', '/v1/outputs/', 'x/keep', 'output_not_found'],
    ['DELETE', '/v1/keys/', 'x', 'key_not_found'],
    ['DELETE', '/v1/keys/', unknown, 'key_not_found'],
    ['GET', '/v1/webhooks/', 'mine', 'webhook_not_found'],
    ['PATCH', '/v1/webhooks/', unknown, 'webhook_not_found'],
    ['DELETE', '/v1/threads/there/tokens/', 'x', 'token_not_found'],
  ])(
    'an id that Spillway never gave is not found, whatever its form: %s %s%s',
    async (method, path, id, code) => {
      const problem = await refused(method, path + id, method === 'PATCH' ? {} : undefined);
      expect(problem).toMatchObject({ status: 404, code });
    },
  );

  test.each([0, 1, 20])('the largest seq of a message, with %d around it', async (around) => {
    const problem = await refused('GET', `/v1/threads/there/messages/2147483647?around=${around}`);
    expect(problem.code).toBe('message_not_found');
  });

  test('a budget too small for anything names the smallest that is enough', async () => {
    const problem = await refused('GET', '/v1/threads/there/context?max_tokens=3');
    expect(problem.code).toBe('budget_too_small');
    const minimum = Number(/(\d+) are enough/.exec(problem.detail)![1]);
    expect(problem.errors).toEqual([{ path: '/max_tokens', message: `is too small: ${minimum} is enough` }]);
    expect((await api.context('there', `?max_tokens=${minimum}`)).tokens.total).toBeLessThanOrEqual(minimum);
    const less = await refused('GET', `/v1/threads/there/context?max_tokens=${minimum - 1}`);
    expect(less.detail).toContain(`${minimum} are enough`);
  });

  test('creating a thread that exists with other settings', async () => {
    expect((await refused('POST', '/v1/threads', { id: 'there', model: 'x' })).code).toBe('thread_exists');
  });
});

/** A request whose body is bytes, which fetch would not send as they are. */
function raw(method: string, path: string, body: Buffer): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${stack.key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const sent = request(stack.url + path, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
