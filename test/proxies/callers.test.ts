import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Schemas } from '@spillway/client';
import { patientFetch } from '@spillway/llm';
import { apiOf, until, type AppProcess } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sized } from '../sizes.js';
import { assistant, model, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
let anthropicApi: AppProcess;
let unconfigured: AppProcess;
beforeAll(async () => {
  rig = await startProxyRig();
  anthropicApi = await rig.stack.startApi({
    SPILLWAY_LLM_PROVIDER: 'anthropic',
    SPILLWAY_LLM_MODEL: 'claude-haiku-4-5',
  });
  unconfigured = await rig.stack.startApi({ SPILLWAY_LLM_PROVIDER: 'extractive', SPILLWAY_LLM_BASE_URL: '' });
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
});

test("a caller's own key goes to the provider, and Spillway's in a header of its own stays here", async () => {
  rig.answer = replies('paid by the caller');
  const openai = new OpenAI({
    apiKey: 'sk-of-the-caller',
    baseURL: `${rig.stack.url}/v1`,
    defaultHeaders: { 'Spillway-Thread': 'own-key', 'Spillway-Key': rig.stack.key },
  });
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5', messages: [user('a')] });
  expect(choices[0]!.message.content).toBe('paid by the caller');
  const [{ headers } = rig.received[0]!] = rig.received;
  expect(headers.authorization).toBe('Bearer sk-of-the-caller');
  expect(JSON.stringify(headers)).not.toContain(rig.stack.key);
});

test.each([{ 'x-api-key': 'sk-ant-own' }, { authorization: 'Bearer token-own' }])(
  "a caller's own key reaches Anthropic in the header in which it came: %j",
  async (own) => {
    rig.answer = (response) => void response.writeHead(401).end();
    for (const path of ['messages', 'messages/count_tokens']) {
      const answer = await fetch(`${anthropicApi.url}/v1/${path}`, {
        method: 'POST',
        headers: {
          ...own,
          'content-type': 'application/json',
          'spillway-key': rig.stack.key,
          'spillway-thread': 'own-header',
        },
        body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 9, messages: [user('a')] }),
      });
      expect(answer.status).toBe(401);
      const { authorization, 'x-api-key': apiKey } = rig.received.at(-1)!.headers;
      expect({ authorization, 'x-api-key': apiKey }).toEqual(own);
    }
    expect(rig.received).toHaveLength(2);
  },
);

test('of two keys of a caller a provider gets the one that its SDK sends, and not the other', async () => {
  rig.answer = replies('ok');
  const headers = {
    authorization: 'Bearer sk-of-the-caller',
    'x-api-key': 'of-the-network',
    'spillway-key': rig.stack.key,
  };
  expect((await rig.post('two-keys', [user('a')], { headers })).status).toBe(200);
  const [{ headers: got } = rig.received[0]!] = rig.received;
  expect(got.authorization).toBe('Bearer sk-of-the-caller');
  expect(JSON.stringify(got)).not.toContain('of-the-network');
});

test('the clients of OpenAI and Anthropic list models and find one', async () => {
  const { key: apiKey, url } = rig.stack;
  const name = 'claude-opus-4-8';
  for (const { models } of [
    new OpenAI({ apiKey, baseURL: `${url}/v1` }),
    new Anthropic({ apiKey, baseURL: url }),
  ]) {
    const listed: string[] = [];
    for await (const { id } of models.list()) listed.push(id);
    expect(listed).toContain(name);
    expect(new Set(listed).size).toBe(listed.length);
    const dated = `${name}-20260401`;
    expect(await models.retrieve(dated)).toMatchObject({ id: dated, context_window: 1_000_000 });
    for (const unknown of ['org/of-nobody', 'constructor'])
      await expect(models.retrieve(unknown)).rejects.toMatchObject({ status: 404 });
  }
  const set = { context_window: 90_000, input_price: 5 };
  await rig.api.call('PUT', `/v1/models/${name}`, set);
  const dated = await rig.api.call('GET', `/v1/models/${name}-20260401`);
  expect(dated).toMatchObject({ status: 200, body: { ...set, source: 'override' } });
});

test('tokens of a request are counted by the provider, about what the caller would send', async () => {
  const count = { input_tokens: 2_095 };
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(count));
  };
  const anthropic = new Anthropic({
    apiKey: rig.stack.key,
    baseURL: anthropicApi.url,
    defaultHeaders: { 'Spillway-Thread': 'counted', 'anthropic-beta': 'context-1m' },
  });
  const asked = { model: 'claude-haiku-4-5', system: 'Be kind.', messages: [user('a')], tools: [] };
  expect(await anthropic.messages.countTokens(asked)).toEqual(count);
  expect(rig.received).toMatchObject([
    {
      url: '/v1/messages/count_tokens',
      headers: { 'x-api-key': 'sk-of-the-server', 'anthropic-beta': 'context-1m' },
      body: asked,
    },
  ]);
  expect((await rig.api.call('GET', '/v1/threads/counted')).status).toBe(404);
  const other = anthropic.messages.countTokens({ ...asked, model: 'claude-opus-4-8' });
  await expect(other).rejects.toMatchObject({ status: 422 });
});

test('a model that answers in one piece may take longer than five minutes', async () => {
  rig.answer = (response) => {
    setTimeout(() => replies('at last')(response), sized(100, 310_000));
  };
  const openai = new OpenAI({
    apiKey: rig.stack.key,
    baseURL: `${rig.stack.url}/v1`,
    defaultHeaders: { 'Spillway-Thread': 'slow' },
    // That of Node.js gives up after five minutes here as well.
    fetch: (url, request = {}) => patientFetch(url as string, request),
  });
  const { choices } = await openai.chat.completions.create({ model, messages: [user('a')] });
  expect(choices[0]!.message.content).toBe('at last');
}, 400_000);

test('a number over 2^53 that a model chose for a call does not end the conversation', async () => {
  const post = (messages: string) =>
    fetch(`${anthropicApi.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${rig.stack.key}`,
        'content-type': 'application/json',
        'spillway-thread': 'large-id',
      },
      body: `{"model":"claude-haiku-4-5","max_tokens":100,"messages":[${messages}]}`,
    });
  const asked = '{"role":"user","content":"Ban them."}';
  const call = (input: string) => `{"type":"tool_use","id":"toolu_1","name":"ban","input":${input}}`;
  const chosen = call('{"who":1234567890123456789}');
  rig.answer = (response) => {
    const body = `{"id":"msg_1","type":"message","role":"assistant","content":[${chosen}],"usage":{}}`;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
  expect(await (await post(asked)).text()).toContain(chosen);
  const result =
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Done."}]}';
  const next = await post(`${asked},{"role":"assistant","content":[${chosen}]},${result}`);
  expect(next.status).toBe(200);
  const sent = rig.received.at(-1)!.body.messages;
  expect(sent).toHaveLength(3);
  expect(sent[1]).toMatchObject({ content: [JSON.parse(call('{"who":"1234567890123456789"}'))] });
  expect(await rig.shown('large-id')).toHaveLength(4);
});

test('a caller that leaves an answer of Anthropic is counted with what it took until then', async () => {
  const key = await rig.stack.addProject('left early');
  const asked = { input_tokens: 700, cache_read_input_tokens: 300, output_tokens: 1 };
  const left = Promise.withResolvers<void>();
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const start = { type: 'message_start', message: { role: 'assistant', usage: asked } };
    response.write(`event: message_start\ndata: ${JSON.stringify(start)}\n\n`);
    response.once('close', () => left.resolve());
  };
  const anthropic = new Anthropic({
    apiKey: key,
    baseURL: anthropicApi.url,
    defaultHeaders: { 'Spillway-Thread': 'left' },
  });
  const stream = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 100,
    messages: [user('a')],
    stream: true,
  });
  for await (const event of stream) if (event.type === 'message_start') break;
  await left.promise;
  const own = apiOf({ url: rig.stack.url, key });
  const chat = async () => (await own.call<Schemas['Usage']>('GET', '/v1/usage')).body.totals.chat;
  await until('it is counted', async () => (await chat()).turns > 0);
  expect(await chat()).toMatchObject({ turns: 1, input_tokens: 1_000, cached_input_tokens: 300 });
});

test("a call by Anthropic's SDK reaches the provider with its version and betas, and the server's key in place of its own", async () => {
  rig.answer = (response) => {
    const message = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      usage: { input_tokens: 9, output_tokens: 1 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  };
  const anthropic = new Anthropic({
    apiKey: rig.stack.key,
    baseURL: anthropicApi.url,
    defaultHeaders: { 'Spillway-Thread': 'claude', 'anthropic-beta': 'context-1m' },
  });
  const { content } = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 100,
    messages: [user('a')],
  });
  expect(content).toMatchObject([{ text: 'hi' }]);
  const [{ url, headers } = rig.received[0]!] = rig.received;
  expect(url).toBe('/v1/messages');
  expect(headers).toMatchObject({ 'x-api-key': 'sk-of-the-server', 'anthropic-beta': 'context-1m' });
  expect(headers['anthropic-version']).toMatch(/^20\d\d-\d\d-\d\d$/);
});

test.each([{ type: 'adaptive' as const }, { type: 'enabled' as const, budget_tokens: 1_024 }])(
  'thinking stays as the caller asked for it where the model called a tool without thinking: %j',
  async (thinking) => {
    const content = [{ type: 'tool_use' as const, id: 'toolu_1', name: 'list', input: {} }];
    rig.answer = (response) => {
      const message = {
        type: 'message',
        role: 'assistant',
        content,
        usage: { input_tokens: 9, output_tokens: 1 },
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    };
    const anthropic = new Anthropic({
      apiKey: rig.stack.key,
      baseURL: anthropicApi.url,
      defaultHeaders: { 'Spillway-Thread': `thinks-${thinking.type}` },
    });
    const call = { model: 'claude-haiku-4-5', max_tokens: 2_000, thinking };
    await anthropic.messages.create({ ...call, messages: [user('a')] });
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'none' };
    const messages = [
      user('a'),
      { role: 'assistant' as const, content },
      { role: 'user' as const, content: [result] },
    ];
    await anthropic.messages.create({ ...call, messages });
    expect(rig.received.at(-1)!.body).toMatchObject({ thinking, messages });
  },
);

const path = (errors: unknown) => (errors as { path: string }[] | undefined)?.[0]?.path;

test.each<[string, () => Promise<Response>, number, string, string?]>([
  ['no thread', () => rig.post('', [user('a')]), 422, 'invalid_request', '/spillway-thread'],
  ['a malformed thread', () => rig.post('a b', [user('a')]), 422, 'invalid_request', '/spillway-thread'],
  ['no messages', () => rig.post('refused', []), 422, 'invalid_request', '/messages'],
  [
    'a malformed message',
    () => rig.post('refused', [{ role: 'wizard', content: 'a' }]),
    422,
    'invalid_request',
  ],
  [
    'another model',
    () => rig.post('refused', [user('a')], { model: 'o3-pro' }),
    422,
    'invalid_request',
    '/model',
  ],
  ['a wrong key', () => rig.post('refused', [user('a')], { key: 'sw_wrong' }), 401, 'unauthorized'],
  [
    'no model here',
    () => rig.post('refused', [user('a')], { url: unconfigured.url }),
    422,
    'upstream_not_configured',
  ],
  [
    'a history at the provider',
    () =>
      fetch(`${rig.stack.url}/v1/responses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${rig.stack.key}`,
          'content-type': 'application/json',
          'spillway-thread': 'refused',
        },
        body: JSON.stringify({ model, input: 'a', previous_response_id: 'resp_1' }),
      }),
    422,
    'invalid_request',
    '/previous_response_id',
  ],
  [
    "a history at Anthropic, as its SDK's tool runner asks for by default,",
    () =>
      fetch(`${anthropicApi.url}/v1/messages`, {
        method: 'POST',
        headers: {
          'x-api-key': rig.stack.key,
          'content-type': 'application/json',
          'spillway-thread': 'refused',
        },
        body: JSON.stringify({
          ...{ model: 'claude-haiku-4-5', max_tokens: 9, thread: { type: 'enabled' } },
          messages: [user('a')],
        }),
      }),
    422,
    'invalid_request',
    '/thread',
  ],
])('%s is refused in the words of Spillway, where an SDK finds them', async (_, send, status, code, at) => {
  rig.answer = replies('never');
  const refused = await send();
  const body = (await refused.json()) as { code: string; detail: string; errors?: unknown; error: unknown };
  expect([refused.status, body.code]).toEqual([status, code]);
  expect(body.error).toMatchObject({ code, message: body.detail });
  if (at) expect(path(body.errors)).toBe(at);
  expect(rig.received).toEqual([]);
  // Nothing of it is recorded.
  expect((await rig.api.call('GET', '/v1/threads/refused')).status).toBe(404);
});

test('the key of the server calls its own model and listed ones alone', async () => {
  const refused = await rig.post('model', [user('a')], { model: 'o3-pro' });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ errors: [{ path: '/model' }] });
  expect(rig.received).toEqual([]);
  expect((await rig.post('model', [user('a')])).status).toBe(200);
});

test("a request for another model gives the thread that model's window, and one for an unknown model does not", async () => {
  rig.answer = replies('ok');
  const headers = { authorization: 'Bearer sk-of-the-caller', 'spillway-key': rig.stack.key };
  const ask = async (named: string, ...messages: object[]) => {
    const answer = await rig.post('switched', messages, { model: named, headers });
    expect(answer.status).toBe(200);
    const { model: ofThread, context_window: window } = await rig.api.thread('switched');
    return [ofThread, window, Number(answer.headers.get('spillway-context-tokens')) < 8_192];
  };
  const long = 'The build failed because of a missing file. '.repeat(30);
  const history = Array.from({ length: 41 }, (_, i) => (i % 2 ? assistant : user)(`${i} ${long}`));
  expect(await ask('gpt-4.1', ...history)).toEqual(['gpt-4.1', 1_047_576, false]);
  expect(await ask('gpt-4', user('next'))).toEqual(['gpt-4', 8_192, true]);
  expect(await ask('of-nobody', user('and next'))).toEqual(['gpt-4', 8_192, true]);
  expect(await ask('gpt-4.1', user('and last'))).toEqual(['gpt-4.1', 1_047_576, false]);
  // A request that is refused changes nothing.
  await rig.post('switched', [{ role: 'wizard', content: 'a' }], { model: 'gpt-4', headers });
  expect((await rig.api.thread('switched')).model).toBe('gpt-4.1');
});

test('with the key of the server a caller may come back to the model of the thread', async () => {
  rig.answer = replies('ok');
  await rig.api.createThread({ id: 'comes-back', model: 'gpt-4.1' });
  for (const named of ['gpt-4.1', model, 'gpt-4.1']) {
    expect((await rig.post('comes-back', [user(`for ${named}`)], { model: named })).status).toBe(200);
    expect((await rig.api.thread('comes-back')).model).toBe('gpt-4.1');
  }
});

test('a thread token is good for its own thread, and names it', async () => {
  rig.answer = replies('ok');
  await rig.post('mine', [user('a')]);
  const token = await rig.api.call<{ token: string }>('POST', '/v1/threads/mine/tokens', {
    scopes: ['messages:write', 'context:read'],
    ttl_s: 600,
  });
  const key = token.body.token;
  expect((await rig.post('', [user('b')], { key })).status).toBe(200);
  expect((await rig.post('mine', [user('c')], { key })).status).toBe(200);
  expect((await rig.post('other', [user('c')], { key })).status).toBe(404);
  const hidden = { metadata: { spillway_thread: 'other' } };
  expect((await rig.post('', [user('c')], { key, ...hidden })).status).toBe(404);
  const reader = await rig.api.call<{ token: string }>('POST', '/v1/threads/mine/tokens', {
    scopes: ['context:read'],
    ttl_s: 600,
  });
  expect((await rig.post('mine', [user('c')], { key: reader.body.token })).status).toBe(403);
});
