import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorPassword, scrape } from '../operations/scrape.js';
import { user } from './proxy-rig.js';
import type { RecordedProvider } from './recorded-provider.js';
import { startReplyingProvider } from './replies/replying-provider.js';

/** Every answer of the provider takes as many. */
const taken = 19;

let provider: RecordedProvider;
let stack: Stack;
beforeAll(async () => {
  provider = await startReplyingProvider();
  stack = await startStack({
    workers: 0,
    redis: false,
    env: {
      SPILLWAY_LLM_PROVIDER: 'openai',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1`,
      SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
      SPILLWAY_LLM_MODEL: 'gpt-4o',
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
      SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.stop();
});

let own: Api;
let projects = 0;
beforeEach(async () => {
  own = apiOf({ url: stack.url, key: await stack.addProject(`with keys ${++projects}`) });
  for (const name of ['openai', 'anthropic', 'google']) {
    const upstream = { base_url: `${provider.url}/v1`, key: null };
    expect((await own.call('PUT', `/v1/upstreams/${name}`, upstream)).status).toBeLessThan(300);
  }
  provider.received = [];
});

const scopes = ['messages:write', 'context:read'];
const keyWith = async (maxTokens: number | null, name = 'of an agent') => {
  const asked = { name, scopes, max_chat_tokens_per_day: maxTokens };
  const { status, body } = await own.call<Schemas['KeyCreated']>('POST', '/v1/keys', asked);
  expect(status).toBe(201);
  return body;
};
const allow = async (id: string, maxTokens: number | null) => {
  const change = { max_chat_tokens_per_day: maxTokens };
  const { status, body } = await own.call<Schemas['Key']>('PATCH', `/v1/keys/${id}`, change);
  expect(status).toBe(200);
  return body;
};
const listed = async (id: string) =>
  (await own.call<Schemas['KeyList']>('GET', '/v1/keys')).body.data.find((key) => key.id === id)!;

interface Called {
  key: string;
  url?: string;
  thread?: string;
}
const post = (path: string, body: object, { key, url = stack.url }: Called, headers: object) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const inThread = ({ thread = 'spending' }: Called) => ({ 'spillway-thread': thread });

const completion = { model: 'gpt-4o', messages: [user('hello')] };
const message = { model: 'claude-sonnet-5', max_tokens: 99, messages: [user('hello')] };
/** Each way of a model call. */
const ways: Record<string, (called: Called) => Promise<Response>> = {
  '/chat': (called) =>
    post(
      `/v1/threads/${called.thread ?? 'spending'}/chat`,
      { content: 'hello', model: 'gpt-4o' },
      called,
      {},
    ),
  'the proxy of chat completions': (called) =>
    post('/v1/chat/completions', completion, called, inThread(called)),
  'the proxy of responses': (called) =>
    post('/v1/responses', { model: 'gpt-4o', input: 'hello' }, called, inThread(called)),
  'the proxy of messages': (called) => post('/v1/messages', message, called, inThread(called)),
  'the proxy of Gemini': (called) =>
    post(
      '/v1beta/models/gemini-2.5-flash:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
      called,
      inThread(called),
    ),
  'a conversation that names no thread': (called) =>
    post('/v1/chat/completions', completion, called, { 'spillway-thread-from': 'history' }),
  'a call beside a session': (called) =>
    post('/v1/messages', message, called, { 'spillway-thread-from': 'session' }),
};
const complete = ways['the proxy of chat completions']!;

/** Reads the answer to its end: what it took is counted then. */
const statusOf = async (answer: Promise<Response>): Promise<number> => {
  const { status, body } = await answer.then(async (one) => ({ status: one.status, body: await one.text() }));
  expect(body).not.toBe('');
  return status;
};

describe('a call with a key that has spent its tokens gets a 429, and nothing of it is recorded', () => {
  test.each(Object.entries(ways))('%s', async (_, ask) => {
    const { key, id } = await keyWith(taken, 'checkout agent');
    expect(await statusOf(ask({ key }))).toBe(200);
    const before = (await own.call('GET', '/v1/threads')).body;

    const refused = await ask({ key });
    expect(refused.status).toBe(429);
    const text = await refused.text();
    expect(text).toContain('key_budget_spent');
    expect(text).toContain(
      'The tokens for model calls of today with the key \\"checkout agent\\" are spent: 19 of 19 tokens. The next day begins at midnight UTC.',
    );
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    const end = Date.now() + 1_000 * Number(refused.headers.get('retry-after'));
    expect(Math.abs(end - midnight)).toBeLessThan(60_000);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(provider.received).toHaveLength(1);
    expect((await own.call('GET', '/v1/threads')).body).toEqual(before);
    expect(await listed(id)).toMatchObject({ max_chat_tokens_per_day: taken, chat_tokens_today: taken });

    // The agent's own calls go on, and so does every other key.
    const agent = apiOf({ url: stack.url, key });
    await agent.append('spending', user('more'));
    await agent.context('spending');
    expect(await statusOf(ask({ key: (await keyWith(null)).key }))).toBe(200);
    expect(await statusOf(ask({ key: (await keyWith(taken)).key }))).toBe(200);
  });
});

test('thread tokens and sessions spend the budget of their key', async () => {
  const { key, id } = await keyWith(2 * taken + 1);
  const agent = apiOf({ url: stack.url, key });
  await agent.append('shared', user('one'));
  const { body: issued } = await agent.call<{ token: string }>('POST', '/v1/threads/shared/tokens', {
    scopes,
  });
  const { body: session } = await agent.call<{ token: string }>('POST', '/v1/sessions');
  const [ofToken, ofSession] = [issued, session].map(({ token }) => ({ key: token, thread: 'shared' }));
  expect(await statusOf(complete(ofToken!))).toBe(200);
  expect(await statusOf(ways['/chat']!(ofSession!))).toBe(200);
  expect((await listed(id)).chat_tokens_today).toBe(2 * taken);
  expect(await statusOf(complete({ key, thread: 'shared' }))).toBe(200);
  for (const called of [ofToken!, ofSession!, { key, thread: 'shared' }])
    expect(await statusOf(ways['/chat']!(called))).toBe(429);
});

test('the budget holds in every process, and a raised one lets calls pass in all of them at once', async () => {
  const { key, id } = await keyWith(taken);
  const other = await stack.startApi();
  try {
    const elsewhere = { key, url: other.url, thread: 'elsewhere' };
    expect(await statusOf(complete({ key }))).toBe(200);
    await until('what was counted is written', async () => (await statusOf(complete(elsewhere))) === 429);
    await allow(id, 10 * taken);
    expect(await statusOf(complete(elsewhere))).toBe(200);
    expect(await statusOf(complete({ key }))).toBe(200);
    await allow(id, null);
    expect(await statusOf(complete(elsewhere))).toBe(200);
    expect(await listed(id)).toMatchObject({ max_chat_tokens_per_day: null });

    const unbound = await keyWith(null);
    const there = { key: unbound.key, url: other.url, thread: 'there' };
    expect(await statusOf(complete(there))).toBe(200);
    await allow(unbound.id, 1);
    await until('the process looks up the key again', async () => (await statusOf(complete(there))) === 429);
  } finally {
    await other.stop();
  }
});

test('what a key took before it had a budget counts, and a first budget holds at once where it is set', async () => {
  const { key, id } = await keyWith(null);
  expect(await statusOf(complete({ key }))).toBe(200);
  expect(await allow(id, taken)).toMatchObject({ chat_tokens_today: taken });
  expect(await statusOf(complete({ key }))).toBe(429);
  await allow(id, taken + 1);
  expect(await statusOf(complete({ key }))).toBe(200);
});

test('the budget of the project holds as well', async () => {
  await own.call('PUT', '/v1/policy', { chat: { max_tokens_per_day: taken } });
  const { key } = await keyWith(10 * taken);
  expect(await statusOf(complete({ key }))).toBe(200);
  const refused = await complete({ key });
  expect(await refused.json()).toMatchObject({ status: 429, code: 'chat_budget_spent' });
});

test('a day ends at midnight by the clock of the database', async () => {
  const { key, id } = await keyWith(taken);
  expect(await statusOf(complete({ key }))).toBe(200);
  const days = () =>
    rowsOf<{ tokens: number; isToday: boolean }>(
      stack.databaseUrl,
      `SELECT chat_tokens::int AS tokens, day = date_trunc('day', now(), 'UTC') AS "isToday"
        FROM key_usage_days WHERE key_id = $1`,
      [id],
    );
  await until('the day is written', async () => (await days()).length === 1);
  expect(await days()).toEqual([{ tokens: taken, isToday: true }]);
  expect(await statusOf(complete({ key }))).toBe(429);
  await rowsOf(
    stack.databaseUrl,
    `UPDATE key_usage_days SET day = day - interval '1 day' WHERE key_id = $1`,
    [id],
  );
  expect((await listed(id)).chat_tokens_today).toBe(0);
  expect(await statusOf(complete({ key }))).toBe(200);
  expect((await listed(id)).chat_tokens_today).toBe(taken);
});

test('the SDKs of the providers say what is wrong at once: they do not call again', async () => {
  const { key } = await keyWith(0);
  let calls = 0;
  const counted: typeof fetch = (...of) => {
    calls++;
    return fetch(...of);
  };
  const options = {
    fetch: counted,
    maxRetries: 2,
    apiKey: key,
    defaultHeaders: { 'spillway-thread': 'sdk' },
  };
  const openai = new OpenAI({ ...options, baseURL: `${stack.url}/v1` });
  const anthropic = new Anthropic({ ...options, baseURL: stack.url });
  const spent = /with the key "of an agent" are spent: 0 of 0 tokens/;
  await expect(openai.chat.completions.create(completion)).rejects.toThrow(spent);
  await expect(anthropic.messages.create(message)).rejects.toThrow(
    /with the key \\?"of an agent\\?" are spent/,
  );
  expect(calls).toBe(2);
});

test('the operator sees that a key has spent its tokens: who may list keys by its name', async () => {
  const { key, id } = await keyWith(taken, 'checkout agent');
  await keyWith(0, 'one that may call no model');
  const refusals = async () =>
    (await scrape(stack.url)).value('spillway_chat_over_budget_total', { budget: 'key' }) ?? 0;
  const before = await refusals();
  expect(await statusOf(complete({ key }))).toBe(200);
  expect(await statusOf(complete({ key }))).toBe(429);
  expect(await refusals()).toBe(before + 1);
  const concernOf = async (api: Api) =>
    (await api.call<Schemas['Attention']>('GET', '/v1/attention')).body.concerns.find(
      ({ kind }) => kind === 'key_budget_spent',
    );
  const concern = await until('what was counted is written', () => concernOf(own));
  expect(concern).toMatchObject({
    severity: 'act',
    count: 1,
    reason: 'checkout agent: 19 of 19 tokens',
    page: '/settings/keys',
  });
  expect(await concernOf(apiOf({ url: stack.url, key }))).toMatchObject({ reason: '19 of 19 tokens' });
  await allow(id, taken + 1);
  expect(await concernOf(own)).toBeUndefined();
});

test('a key cannot raise its own budget', async () => {
  const { key, id } = await keyWith(taken);
  const agent = apiOf({ url: stack.url, key });
  const { body: session } = await agent.call<{ token: string }>('POST', '/v1/sessions');
  for (const api of [agent, apiOf({ url: stack.url, key: session.token })]) {
    const refused = await api.call('PATCH', `/v1/keys/${id}`, { max_chat_tokens_per_day: 10 * taken });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
  expect((await listed(id)).max_chat_tokens_per_day).toBe(taken);
});

test('a key is renamed and its budget changed apart from each other, and the audit log has both with what was before', async () => {
  const { id } = await keyWith(taken);
  expect(await allow(id, 5)).toMatchObject({ name: 'of an agent', max_chat_tokens_per_day: 5 });
  const renamed = await own.call('PATCH', `/v1/keys/${id}`, { name: 'checkout agent' });
  expect(renamed).toMatchObject({
    status: 200,
    body: { id, name: 'checkout agent', max_chat_tokens_per_day: 5 },
  });
  expect(await own.call('PATCH', `/v1/keys/${id}`, {})).toMatchObject({ status: 200, body: renamed.body });
  for (const body of [
    { max_chat_tokens_per_day: -1 },
    { max_chat_tokens_per_day: 1.5 },
    { max_chat_tokens_per_day: '5' },
    { max_chat_tokens_per_day: 1e13 },
    { name: '' },
    { scopes: ['admin'] },
  ])
    expect(await own.call('PATCH', `/v1/keys/${id}`, body)).toMatchObject({ status: 422 });
  const unknown = await own.call('PATCH', '/v1/keys/0196f2ab-0000-7000-8000-000000000000', { name: 'x' });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'key_not_found' } });
  const { body } = await own.call<Schemas['AuditList']>('GET', `/v1/audit?target=${id}`);
  expect(body.data.map(({ action, detail }) => ({ action, detail }))).toEqual([
    { action: 'key.renamed', detail: { name: 'checkout agent', before: 'of an agent' } },
    { action: 'key.budget_changed', detail: { max_chat_tokens_per_day: 5, before: taken } },
    { action: 'key.created', detail: { scopes } },
  ]);
});
