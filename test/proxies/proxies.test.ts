import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import { apiOf, startStack, until, type Api, type AppProcess, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

interface Received {
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: { messages: Record<string, unknown>[]; [key: string]: unknown };
}

/** A provider that answers what the test says, byte for byte, and remembers what it was asked. */
let answer: (response: ServerResponse) => void | Promise<void>;
let received: Received[] = [];
const provider = createServer((request, response) => {
  void (async () => {
    const { url, headers } = request;
    received.push({ url, headers, body: JSON.parse(await text(request)) as Received['body'] });
    await answer(response);
  })();
});

let stack: Stack;
let forAnthropic: AppProcess;
let unconfigured: AppProcess;
let api: Api;
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  stack = await startStack({
    workers: 0,
    redis: false,
    env: {
      SPILLWAY_LLM_PROVIDER: 'openai',
      SPILLWAY_LLM_BASE_URL: baseUrl,
      SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
      SPILLWAY_LLM_MODEL: 'gpt-4o-mini',
    },
  });
  forAnthropic = await stack.startApi({
    SPILLWAY_LLM_PROVIDER: 'anthropic',
    SPILLWAY_LLM_MODEL: 'claude-haiku-4-5',
  });
  unconfigured = await stack.startApi({ SPILLWAY_LLM_PROVIDER: 'extractive', SPILLWAY_LLM_BASE_URL: '' });
  api = apiOf(stack);
});
afterAll(async () => {
  await stack?.stop();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});
beforeEach(() => {
  received = [];
});

const replies = (content: string) => (response: ServerResponse) => {
  const message = { role: 'assistant', content, refusal: null };
  const body = {
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content });
const model = 'gpt-4o-mini';

const post = (
  id: string,
  messages: object[],
  {
    key = stack.key,
    url = stack.url,
    ...more
  }: Record<string, unknown> & { key?: string; url?: string } = {},
) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(id === '' ? {} : { 'spillway-thread': id }),
    },
    body: JSON.stringify({ model, messages, ...more }),
  });
/** What a thread shows, as role and text. */
const shown = async (id: string) =>
  (await api.context(id)).messages.map((message) => {
    const { role, content } = message as { role: string; content: string };
    return `${role}: ${content}`;
  });

test('what the provider sends is what the caller gets: status, headers and every byte, however it is cut', async () => {
  const stream = [
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
    ': a comment between events\n\n',
    'data: {"choices":[{"index":0,"delta":{"content":"Grüße, 世界 🌊"}}]}\r\n\r\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_unknown":1}\n\n',
    'data: [DONE]\n\n',
  ].join('');
  const bytes = Buffer.from(stream);
  answer = async (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': 'req_of_the_provider',
      'x-ratelimit-remaining-tokens': '149984',
      'set-cookie': '__cf_bm=secret',
    });
    // Cuts go through characters and between the lines of an event.
    for (let i = 0; i < bytes.length; i += 7) {
      response.write(bytes.subarray(i, i + 7));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
  const got = await post('bytes', [user('hello')], { stream: true });
  expect(got.status).toBe(200);
  expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-request-id': 'req_of_the_provider',
    'x-ratelimit-remaining-tokens': '149984',
    'spillway-thread': 'bytes',
    'spillway-context-tokens': expect.stringMatching(/^\d+$/) as string,
  });
  expect(got.headers.get('set-cookie')).toBeNull();
  expect(await shown('bytes')).toEqual(['user: hello', 'assistant: Grüße, 世界 🌊']);
});

test('a stream arrives as it is made, not when it ends', async () => {
  const ended = Promise.withResolvers<void>();
  answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n');
    await ended.promise;
    response.end('data: [DONE]\n\n');
  };
  const got = await post('live', [user('hello')], { stream: true });
  const reader = got.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('first');
  ended.resolve();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read())
    rest += new TextDecoder().decode(part.value);
  expect(rest).toBe('data: [DONE]\n\n');
  // Recorded before the caller saw the end.
  expect(await shown('live')).toEqual(['user: hello', 'assistant: first']);
});

test('everything but the conversation goes to the provider as it came, with the key of the server', async () => {
  answer = replies('yes');
  const asked = {
    temperature: 0.2,
    logit_bias: { 50256: -100 },
    response_format: { type: 'json_object' },
    metadata: { spillway_thread: 'as-it-came', run: '7' },
    tools: [{ type: 'function', function: { name: 'look', parameters: {} } }],
  };
  await post(
    '',
    [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, user('ready?')],
    asked,
  );
  const [{ url, headers, body } = received[0]!] = received;
  expect(url).toBe('/v1/chat/completions');
  expect(headers.authorization).toBe('Bearer sk-of-the-server');
  expect(headers['spillway-thread']).toBeUndefined();
  expect(body).toEqual({
    model,
    ...asked,
    metadata: { run: '7' },
    messages: [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, user('ready?')],
  });
  // The prompt is the call's, not a message of the thread.
  expect(await shown('as-it-came')).toEqual(['user: ready?', 'assistant: yes']);
});

test('a conversation is recorded once, whether the caller sends all of it, its end, or only what is new', async () => {
  answer = replies('one');
  await post('once', [user('a')]);
  answer = replies('two');
  await post('once', [user('a'), assistant('one'), user('b')]);
  answer = replies('three');
  await post('once', [user('b'), assistant('two'), user('c')]);
  answer = replies('four');
  await post('once', [user('d')]);
  const whole = ['a', 'one', 'b', 'two', 'c', 'three', 'd', 'four'];
  expect((await shown('once')).map((line) => line.split(': ')[1])).toEqual(whole);
  expect(received.at(-1)!.body.messages.map(({ content }) => content)).toEqual(whole.slice(0, -1));
});

test('a request again, after its answer was lost or because another one is wanted, replaces the answer', async () => {
  answer = replies('lost');
  await post('again', [user('a')]);
  answer = replies('got');
  await post('again', [user('a')]);
  expect(await shown('again')).toEqual(['user: a', 'assistant: got']);
  answer = replies('to the edited question');
  await post('again', [user('edited'), assistant('got'), user('next')]);
  // An edited beginning is a message on its way: what follows it is the same.
  expect(await shown('again')).toEqual([
    'user: a',
    'assistant: got',
    'user: next',
    'assistant: to the edited question',
  ]);
  const { data } = (
    await api.call<{ data: { message: { content: string }; rewound_before?: number }[] }>(
      'GET',
      '/v1/threads/again/messages',
    )
  ).body;
  expect(data.map(({ message }) => message.content)).toContain('lost');
});

test('an error of the provider is passed on as it is, and the question stays recorded for the next try', async () => {
  const refusal = '{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}';
  answer = (response) => {
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '3', 'x-should-retry': 'false' })
      .end(refusal);
  };
  const got = await post('limited', [user('a')]);
  expect([got.status, got.headers.get('retry-after'), await got.text()]).toEqual([429, '3', refusal]);
  expect(await shown('limited')).toEqual(['user: a']);
  answer = replies('now');
  await post('limited', [user('a')]);
  expect(await shown('limited')).toEqual(['user: a', 'assistant: now']);
});

test('a caller that leaves ends the call, and a cut answer is not recorded', async () => {
  const left = Promise.withResolvers<void>();
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half of it"}}]}\n\n');
    response.once('close', () => left.resolve());
  };
  const abort = new AbortController();
  const got = await fetch(`${stack.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.key}`,
      'content-type': 'application/json',
      'spillway-thread': 'left',
    },
    body: JSON.stringify({ model, messages: [user('a')], stream: true }),
    signal: abort.signal,
  });
  await got.body!.getReader().read();
  abort.abort();
  await left.promise;
  expect(await shown('left')).toEqual(['user: a']);
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n', () =>
      response.destroy(),
    );
  };
  await expect(post('left', [user('a')], { stream: true }).then((cut) => cut.text())).rejects.toThrow();
  expect(await shown('left')).toEqual(['user: a']);
});

test('two callers on one thread both get their answers, and nothing is recorded twice', async () => {
  answer = replies('hello');
  const both = await Promise.all([post('both', [user('from one')]), post('both', [user('from two')])]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const lines = await shown('both');
  for (const line of ['user: from one', 'user: from two'])
    expect(lines.filter((one) => one === line)).toHaveLength(1);
});

test('what a turn took is counted for the project', async () => {
  const key = await stack.addProject('counted');
  const counted = apiOf({ url: stack.url, key });
  const chat = async () =>
    (await counted.call<{ totals: { chat: { turns: number } } }>('GET', '/v1/usage')).body.totals.chat;
  answer = replies('counted');
  await post('usage', [user('what did it take?')], { key });
  await until('the turn is counted', async () => (await chat()).turns > 0);
  expect(await chat()).toMatchObject({ turns: 1, input_tokens: 40, output_tokens: 5 });
});

test("a caller's own key goes to the provider, and Spillway's in a header of its own stays here", async () => {
  answer = replies('paid by the caller');
  const openai = new OpenAI({
    apiKey: 'sk-of-the-caller',
    baseURL: `${stack.url}/v1`,
    defaultHeaders: { 'Spillway-Thread': 'own-key', 'Spillway-Key': stack.key },
  });
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages: [user('a')] });
  expect(choices[0]!.message.content).toBe('paid by the caller');
  const [{ headers } = received[0]!] = received;
  expect(headers.authorization).toBe('Bearer sk-of-the-caller');
  expect(JSON.stringify(headers)).not.toContain(stack.key);
});

test("Anthropic's SDK puts the key into x-api-key, and its version reaches the provider", async () => {
  answer = (response) => {
    const message = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      usage: { input_tokens: 9, output_tokens: 1 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  };
  const anthropic = new Anthropic({
    apiKey: stack.key,
    baseURL: forAnthropic.url,
    defaultHeaders: { 'Spillway-Thread': 'claude', 'anthropic-beta': 'context-1m' },
  });
  const { content } = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 100,
    messages: [user('a')],
  });
  expect(content).toMatchObject([{ text: 'hi' }]);
  const [{ url, headers } = received[0]!] = received;
  expect(url).toBe('/v1/messages');
  expect(headers).toMatchObject({ 'x-api-key': 'sk-of-the-server', 'anthropic-beta': 'context-1m' });
  expect(headers['anthropic-version']).toMatch(/^20\d\d-\d\d-\d\d$/);
});

const path = (errors: unknown) => (errors as { path: string }[] | undefined)?.[0]?.path;

test.each<[string, () => Promise<Response>, number, string, string?]>([
  ['no thread', () => post('', [user('a')]), 422, 'invalid_request', '/spillway-thread'],
  ['a malformed thread', () => post('a b', [user('a')]), 422, 'invalid_request', '/spillway-thread'],
  ['no messages', () => post('refused', []), 422, 'invalid_request', '/messages'],
  ['a malformed message', () => post('refused', [{ role: 'wizard', content: 'a' }]), 422, 'invalid_request'],
  [
    'another model',
    () => post('refused', [user('a')], { model: 'o3-pro' }),
    422,
    'invalid_request',
    '/model',
  ],
  ['a wrong key', () => post('refused', [user('a')], { key: 'sw_wrong' }), 401, 'unauthorized'],
  [
    'no model here',
    () => post('refused', [user('a')], { url: unconfigured.url }),
    422,
    'upstream_not_configured',
  ],
  [
    'a history at the provider',
    () =>
      fetch(`${stack.url}/v1/responses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stack.key}`,
          'content-type': 'application/json',
          'spillway-thread': 'refused',
        },
        body: JSON.stringify({ model, input: 'a', previous_response_id: 'resp_1' }),
      }),
    422,
    'invalid_request',
    '/previous_response_id',
  ],
])('%s is refused in the words of Spillway, where an SDK finds them', async (_, send, status, code, at) => {
  answer = replies('never');
  const refused = await send();
  const body = (await refused.json()) as { code: string; detail: string; errors?: unknown; error: unknown };
  expect([refused.status, body.code]).toEqual([status, code]);
  expect(body.error).toMatchObject({ code, message: body.detail });
  if (at) expect(path(body.errors)).toBe(at);
  expect(received).toEqual([]);
  // Nothing of it is recorded.
  expect((await api.call('GET', '/v1/threads/refused')).status).toBe(404);
});

test('a thread token is good for its own thread, and names it', async () => {
  answer = replies('ok');
  await post('mine', [user('a')]);
  const token = await api.call<{ token: string }>('POST', '/v1/threads/mine/tokens', {
    scopes: ['messages:write', 'context:read'],
    ttl_s: 600,
  });
  const key = token.body.token;
  expect((await post('', [user('b')], { key })).status).toBe(200);
  expect((await post('mine', [user('c')], { key })).status).toBe(200);
  expect((await post('other', [user('c')], { key })).status).toBe(404);
  const hidden = { metadata: { spillway_thread: 'other' } };
  expect((await post('', [user('c')], { key, ...hidden })).status).toBe(404);
  const reader = await api.call<{ token: string }>('POST', '/v1/threads/mine/tokens', {
    scopes: ['context:read'],
    ttl_s: 600,
  });
  expect((await post('mine', [user('c')], { key: reader.body.token })).status).toBe(403);
});
