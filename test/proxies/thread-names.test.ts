import type { ServerResponse } from 'node:http';
import type { Schemas } from '@spillway/client';
import { apiOf, until, type AppProcess } from '@spillway/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assistant, model, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
let anthropicApi: AppProcess;
beforeAll(async () => {
  rig = await startProxyRig();
  anthropicApi = await rig.stack.startApi({
    SPILLWAY_LLM_PROVIDER: 'anthropic',
    SPILLWAY_LLM_MODEL: 'claude-haiku-4-5',
  });
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
  rig.answer = replies('ok');
});

const byUser = { 'spillway-thread-from': 'user' };
const threadIds = async () =>
  (await rig.api.call<{ data: { id: string }[] }>('GET', '/v1/threads?limit=100')).body.data.map(
    ({ id }) => id,
  );
const threadOf = async (sent: Promise<Response>) => {
  const answer = await sent;
  expect(answer.status).toBe(200);
  return answer.headers.get('spillway-thread');
};

/** A request of Anthropic's SDK. */
const postMessage = (metadata: object, headers: Record<string, string> = {}, more: object = {}) =>
  fetch(`${anthropicApi.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': rig.stack.key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'claude-haiku-4-5',
      max_tokens: 9,
      messages: [user('a')],
      metadata,
      ...more,
    }),
  });

test('metadata.thread_id names the thread of a request of OpenAI, and goes on to the provider', async () => {
  const named = { metadata: { thread_id: 'own-name', run: '7' } };
  expect(await threadOf(rig.post('', [user('a')], named))).toBe('own-name');
  expect(rig.received[0]!.body.metadata).toEqual(named.metadata);
  expect(await threadOf(rig.post('', [user('b')], named))).toBe('own-name');
  expect(await rig.shown('own-name')).toEqual(['user: a', 'assistant: ok', 'user: b', 'assistant: ok']);
});

test('what names the thread for Spillway decides before the names that the caller has for itself', async () => {
  const own = { metadata: { thread_id: 'of-the-caller' }, user: 'ada', headers: byUser };
  expect(await threadOf(rig.post('by-header', [user('a')], own))).toBe('by-header');
  const both = { ...own, metadata: { ...own.metadata, spillway_thread: 'by-field' } };
  expect(await threadOf(rig.post('', [user('a')], both))).toBe('by-field');
  expect(await threadOf(rig.post('', [user('a')], own))).toBe('of-the-caller');
  expect(await threadIds()).not.toContain('user:ada');
  // With a header it is nothing to Spillway, whatever it says.
  expect(
    await threadOf(rig.post('by-header', [user('b')], { metadata: { thread_id: 7 }, user: 'not an id' })),
  ).toBe('by-header');
});

test('the name of a user is a thread for those who ask for that alone', async () => {
  const before = await threadIds();
  const refused = await rig.post('', [user('a')], { user: 'eve' });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ errors: [{ path: '/spillway-thread' }] });
  expect(await threadIds()).toEqual(before);

  const asked = { user: 'eve', headers: byUser };
  expect(await threadOf(rig.post('', [user('a')], asked))).toBe('user:eve');
  expect(await threadOf(rig.post('', [user('b')], asked))).toBe('user:eve');
  expect(rig.received[0]!.body.user).toBe('eve');
  expect(rig.received[0]!.headers['spillway-thread-from']).toBeUndefined();
  expect(await rig.shown('user:eve')).toEqual(['user: a', 'assistant: ok', 'user: b', 'assistant: ok']);
});

test('the name of a user is no thread that was named otherwise', async () => {
  rig.answer = replies('for the operators only');
  await rig.post('orders', [user('a')]);
  rig.answer = replies('ok');
  expect(await threadOf(rig.post('', [user('b')], { user: 'orders', headers: byUser }))).toBe('user:orders');
  expect(JSON.stringify(rig.received.at(-1)!.body)).not.toContain('for the operators only');
});

test("Anthropic's metadata.user_id is taken where it is asked for, and metadata.thread_id is not its name", async () => {
  rig.answer = (response) => {
    const message = { role: 'assistant', content: [{ type: 'text', text: 'hi' }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  };
  expect(await threadOf(postMessage({ user_id: 'user_1_session_2' }, byUser))).toBe('user:user_1_session_2');
  expect(rig.received[0]!.body.metadata).toEqual({ user_id: 'user_1_session_2' });
  for (const metadata of [{ user_id: 'user_1' }, { thread_id: 'own-name' }]) {
    const refused = await postMessage(metadata);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { errors: [{ path: '/spillway-thread' }] },
    ]);
  }
  const missing = await postMessage({}, byUser);
  expect(await missing.json()).toMatchObject({
    errors: [{ path: '/metadata/user_id', message: 'is missing' }],
  });
});

const bySession = { 'spillway-thread-from': 'session' };
const ls = { name: 'ls', description: 'Lists files.', input_schema: { type: 'object' } };
const ofClaudeCode = (id: string, agent?: string): Record<string, string> => ({
  ...bySession,
  'x-claude-code-session-id': id,
  ...(agent === undefined ? {} : { 'x-claude-code-agent-id': agent }),
});
const saysHi = (response: ServerResponse) => {
  const content = [{ type: 'text', text: 'hi' }];
  const usage = { input_tokens: 9, output_tokens: 1 };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ role: 'assistant', content, usage }));
};

test('a session of Claude Code is a thread, and each of its subagents has one of its own', async () => {
  rig.answer = saysHi;
  const asked = (headers: Record<string, string>) => postMessage({}, headers, { tools: [ls] });
  expect(await threadOf(asked(ofClaudeCode('5f0e')))).toBe('session:5f0e');
  expect(await threadOf(asked(ofClaudeCode('5f0e', 'a3ec')))).toBe('session:5f0e:a3ec');
  expect(await threadOf(asked(ofClaudeCode('77aa')))).toBe('session:77aa');
  expect(rig.received.map(({ body }) => body.messages.length)).toEqual([1, 1, 1]);
  expect(rig.received[0]!.headers['x-claude-code-session-id']).toBeUndefined();
});

test('a conversation of Codex is a thread, by the name that it has itself', async () => {
  const tools = [{ type: 'function', function: { name: 'ls' } }];
  const sent = (headers: Record<string, string>) => rig.post('', [user('a')], { tools, headers });
  expect(await threadOf(sent({ ...bySession, 'thread-id': '01a2-2c43' }))).toBe('session:01a2-2c43');
  const wrong = await sent({ ...bySession, 'thread-id': 'a b' });
  expect(await wrong.json()).toMatchObject({ errors: [{ path: '/thread-id' }] });
});

test('the session of an agent that does not name it is found by its messages', async () => {
  const sent = (messages: object[], more: object = {}) =>
    rig.post('', messages, {
      tools: [{ type: 'function', function: { name: 'ls' } }],
      ...more,
      headers: bySession,
    });
  const id = await threadOf(sent([user('look')]));
  expect(id).toMatch(/^history:/);
  const further = [user('look'), assistant('ok'), user('again')];
  expect(await threadOf(sent(further))).toBe(id);
  expect(await threadOf(sent(further, { tools: undefined }))).toBeNull();
  expect(await rig.shown(id!)).toHaveLength(4);
});

test('a call beside a session, as for its title, is passed on as it is, counted, and not recorded', async () => {
  rig.answer = saysHi;
  const key = await rig.stack.addProject('with a title');
  const own = apiOf({ url: rig.stack.url, key });
  const headers = { ...ofClaudeCode('7171'), 'x-api-key': key };
  await threadOf(postMessage({}, headers, { tools: [ls] }));
  const aside = await postMessage({ user_id: 'ada' }, headers, { system: 'Give it a title.', tools: [] });
  expect([aside.status, await aside.json()]).toMatchObject([200, { content: [{ text: 'hi' }] }]);
  expect(aside.headers.get('spillway-thread')).toBeNull();
  expect(rig.received.at(-1)!.body).toEqual({
    ...{ model: 'claude-haiku-4-5', max_tokens: 9, messages: [user('a')], metadata: { user_id: 'ada' } },
    ...{ system: 'Give it a title.', tools: [] },
  });
  const { data } = (await own.call<{ data: { id: string; last_seq: number }[] }>('GET', '/v1/threads')).body;
  expect(data).toMatchObject([{ id: 'session:7171', last_seq: 2 }]);
  const chat = async () => (await own.call<Schemas['Usage']>('GET', '/v1/usage')).body.totals.chat;
  await until('both are counted', async () => (await chat()).turns === 2);
  expect(await chat()).toMatchObject({ input_tokens: 18, output_tokens: 2 });
});

/** Where a program sends its requests that can be given an address and a key, and no header. */
const at = (base: string) => ({ url: `${rig.stack.url}${base}` });

test('a base URL names the thread, or says how it is found, as the headers do', async () => {
  expect(await threadOf(rig.post('', [user('a')], at('/thread/by-url')))).toBe('by-url');
  expect(await threadOf(rig.post('', [user('b')], at('/thread/by-url')))).toBe('by-url');
  expect(await rig.shown('by-url')).toEqual(['user: a', 'assistant: ok', 'user: b', 'assistant: ok']);
  expect(await threadOf(rig.post('', [user('a')], at('/thread/ada%40example.com')))).toBe('ada@example.com');

  const found = at('/thread-from/history');
  const id = await threadOf(rig.post('', [user('where was I?')], found));
  expect(id).toMatch(/^history:/);
  const conversation = [user('where was I?'), assistant('ok'), user('and now?')];
  expect(await threadOf(rig.post('', conversation, found))).toBe(id);
  expect(await threadOf(rig.post('', [user('a')], { ...at('/thread-from/user'), user: 'bea' }))).toBe(
    'user:bea',
  );
  expect(
    rig.received.every(({ headers }) => !Object.keys(headers).some((name) => /spillway/.test(name))),
  ).toBe(true);
});

test('a header decides before a base URL, and a base URL before what the body says', async () => {
  expect(await threadOf(rig.post('by-header', [user('a')], at('/thread/by-url')))).toBe('by-header');
  const named = { ...at('/thread/by-url-too'), metadata: { spillway_thread: 'by-field' } };
  expect(await threadOf(rig.post('', [user('a')], named))).toBe('by-url-too');
});

test('SDKs work with such a base URL, and list models there', async () => {
  const openai = new OpenAI({ baseURL: `${rig.stack.url}/thread/of-openai/v1`, apiKey: rig.stack.key });
  const { choices } = await openai.chat.completions.create({ model, messages: [user('a')] });
  expect(choices[0]!.message.content).toBe('ok');
  expect(await rig.shown('of-openai')).toEqual(['user: a', 'assistant: ok']);
  expect((await openai.models.list()).data.map(({ id }) => id)).toContain(model);

  rig.answer = replies('{"type":"message"}');
  const answered = await fetch(`${anthropicApi.url}/thread/of-anthropic/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': rig.stack.key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 9, messages: [user('a')] }),
  });
  expect(answered.headers.get('spillway-thread')).toBe('of-anthropic');

  const google = { 'x-goog-api-key': rig.stack.key };
  const listed = await fetch(`${rig.stack.url}/thread/of-google/v1/models`, { headers: google });
  expect(await listed.json()).toMatchObject({ models: expect.any(Array) as unknown[] });
});

test.each([
  ['a name that is no id', '/thread/a%20b/v1/chat/completions', 422, '/spillway-thread'],
  ['a way that is none', '/thread-from/guess/v1/chat/completions', 422, '/spillway-thread-from'],
  ['what cannot be decoded', '/thread/%zz/v1/chat/completions', 400, undefined],
  ['no name', '/thread//v1/chat/completions', 404, undefined],
  ['two names', '/thread/a/thread/b/v1/chat/completions', 404, undefined],
  ['a name before another route', '/thread/a/v1/threads', 404, undefined],
  ['a name before no route', '/thread/a', 404, undefined],
])('a base URL with %s is refused, and nothing is recorded', async (_, path, status, place) => {
  const before = await threadIds();
  const refused = await fetch(`${rig.stack.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [user('a')] }),
  });
  expect(refused.status).toBe(status);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  if (place) expect(await refused.json()).toMatchObject({ errors: [{ path: place }] });
  expect(await threadIds()).toEqual(before);
  expect(rig.received).toEqual([]);
});

test('the longest name is an id as it is', async () => {
  const longest = 'u'.repeat(195);
  expect(await threadOf(rig.post('', [user('a')], { user: longest, headers: byUser }))).toBe(
    `user:${longest}`,
  );
  const thread = 't'.repeat(200);
  expect(await threadOf(rig.post('', [user('a')], { metadata: { thread_id: thread } }))).toBe(thread);
});

test.each<[string, Parameters<ProxyRig['post']>[2], string]>([
  ['with a space', { metadata: { thread_id: 'a b' } }, '/metadata/thread_id'],
  ['that is a path', { metadata: { thread_id: '../orders' } }, '/metadata/thread_id'],
  ['that is empty', { metadata: { thread_id: '' } }, '/metadata/thread_id'],
  ['of 201 characters', { metadata: { thread_id: 't'.repeat(201) } }, '/metadata/thread_id'],
  ['that is a number', { metadata: { thread_id: 7 } }, '/metadata/thread_id'],
  ['of a user with a sign', { user: 'auth0|ada', headers: byUser }, '/user'],
  ['of a user of 196 characters', { user: 'u'.repeat(196), headers: byUser }, '/user'],
  ['of a user that is empty', { user: '', headers: byUser }, '/user'],
  ['of a user that is a number', { user: 7, headers: byUser }, '/user'],
  ['of no user', { headers: byUser }, '/user'],
  ['from another place', { headers: { 'spillway-thread-from': 'guess' } }, '/spillway-thread-from'],
])('a name %s is refused with its place, and nothing is recorded', async (_, options, path) => {
  const before = await threadIds();
  const refused = await rig.post('', [user('a')], options);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
  expect(await threadIds()).toEqual(before);
  expect(rig.received).toEqual([]);
});

test("the same names in two projects are two threads, and neither model is sent the other's", async () => {
  const theirKey = await rig.stack.addProject('theirs');
  for (const options of [{ metadata: { thread_id: 'shared' } }, { user: 'shared', headers: byUser }]) {
    rig.answer = replies('our answer');
    const id = await threadOf(rig.post('', [user('our secret')], options));
    rig.answer = replies('their answer');
    expect(await threadOf(rig.post('', [user('what is it?')], { ...options, key: theirKey }))).toBe(id);
    expect(rig.received.at(-1)!.body.messages).toEqual([user('what is it?')]);
    expect(await rig.shown(id!)).toEqual(['user: our secret', 'assistant: our answer']);
  }
});

test('a thread token stays with its thread, whatever the body says', async () => {
  await rig.post('mine', [user('a')]);
  await rig.post('other', [user('a')]);
  const { body } = await rig.api.call<{ token: string }>('POST', '/v1/threads/mine/tokens', {
    scopes: ['messages:write', 'context:read'],
  });
  const theirs = { key: body.token, metadata: { thread_id: 'other' }, user: 'ada', headers: byUser };
  expect(await threadOf(rig.post('', [user('b')], theirs))).toBe('mine');
  expect(await rig.shown('other')).toEqual(['user: a', 'assistant: ok']);
});
