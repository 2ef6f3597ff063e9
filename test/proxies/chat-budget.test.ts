import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assistant, model, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());

let key: string;
let own: Api;
let projects = 0;
beforeEach(async () => {
  key = await rig.stack.addProject(`with a budget ${++projects}`);
  own = apiOf({ url: rig.stack.url, key });
  rig.answer = replies('done');
  rig.received = [];
});

const allow = async (tokens: number | null) => {
  const answer = await own.call('PUT', '/v1/policy', { chat: { max_tokens_per_day: tokens } });
  expect(answer).toMatchObject({ status: 200 });
};

const concern = async () => {
  const { body } = await own.call<Schemas['Attention']>('GET', '/v1/attention');
  return body.concerns.find(({ kind }) => kind === 'chat_budget_spent');
};

const chatNumbers = async () => (await own.call<Schemas['Usage']>('GET', '/v1/usage')).body.totals.chat;

/** An answer of `replies` takes 45 tokens. */
test('once the tokens of the day are spent model calls get a 429, and nothing of them is recorded', async () => {
  await allow(45);
  await rig.post('spending', [user('one')], { key }).then((answer) => answer.text());
  const refused = await rig.post('spending', [user('one'), assistant('done'), user('two')], { key });
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    code: 'chat_budget_spent',
    detail:
      'The tokens for model calls of today are spent: 45 of 45 tokens. The next day begins at midnight UTC.',
    error: { type: 'rate_limit_error', code: 'chat_budget_spent' },
  });
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  expect(Date.now() + 1_000 * Number(refused.headers.get('retry-after'))).toBeGreaterThan(midnight - 60_000);
  expect(refused.headers.get('x-should-retry')).toBe('false');

  const chat = await own.call('POST', '/v1/threads/spending/chat', { content: 'three' });
  expect(chat).toMatchObject({ status: 429, body: { code: 'chat_budget_spent' } });
  const unknown = await rig.post('new', [user('one')], { key });
  expect(unknown.status).toBe(429);
  expect(rig.received).toHaveLength(1);
  expect((await own.context('spending')).messages).toMatchObject([user('one'), assistant('done')]);
  expect((await own.call('GET', '/v1/threads/new')).status).toBe(404);
  // The agent's own calls go on.
  await own.append('spending', user('four'));

  expect(await concern()).toMatchObject({ severity: 'act', reason: '45 of 45 tokens' });
  await allow(46);
  expect(await concern()).toBeUndefined();
  const allowed = await own.call('POST', '/v1/threads/spending/chat', { content: 'five' });
  expect(allowed.status).toBe(200);
});

test('another process refuses what this one spent, and a process that begins anew does too', async () => {
  await allow(45);
  await rig.post('spending', [user('one')], { key }).then((answer) => answer.text());
  const other = await rig.stack.startApi();
  try {
    const asked = () => rig.post('elsewhere', [user('one')], { key, url: other.url });
    await until('what was counted is written', async () => (await asked()).status === 429);
  } finally {
    await other.stop();
  }
});

test('the SDKs of the providers say what is wrong at once: they do not call again', async () => {
  await allow(0);
  let calls = 0;
  const counted: typeof fetch = (...of) => {
    calls++;
    return fetch(...of);
  };
  // With keys of their own: the budget is the project's, whoever pays.
  const defaultHeaders = { 'spillway-thread': 'sdk', 'spillway-key': key };
  const options = { fetch: counted, maxRetries: 2, apiKey: 'sk-of-the-caller', defaultHeaders };
  const openai = new OpenAI({ ...options, baseURL: `${rig.stack.url}/v1` });
  const anthropic = new Anthropic({ ...options, baseURL: rig.stack.url });
  const messages = [user('one')];
  await expect(openai.chat.completions.create({ model, messages })).rejects.toThrow(
    /The tokens for model calls of today are spent: 0 of 0 tokens/,
  );
  await expect(
    anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, messages }),
  ).rejects.toThrow(/The tokens for model calls of today are spent/);
  expect(calls).toBe(2);
});

test('a thread may have another budget, which takes the scope that its cost takes', async () => {
  await allow(0);
  const scopes = ['messages:write', 'context:read'];
  const { body } = await own.call<{ key: string }>('POST', '/v1/keys', { name: 'of an agent', scopes });
  const agent = apiOf({ url: rig.stack.url, key: body.key });
  const policy = { chat: { max_tokens_per_day: 1_000 } };
  await own.append('allowed', user('one'));
  const refused = await agent.call('PATCH', '/v1/threads/allowed', { policy });
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await own.call('PATCH', '/v1/threads/allowed', { policy })).status).toBe(200);
  expect((await rig.post('allowed', [user('one')], { key })).status).toBe(200);
  expect((await rig.post('other', [user('one')], { key })).status).toBe(429);
});

/** A stream of OpenAI that was not asked to report its usage, and that may wait before its last piece. */
const streamOf = (pieces: number, rest?: Promise<void>): ProxyRig['answer'] => {
  const event = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < pieces; i++) response.write(event({ content: `word${i} ` }));
    await rest;
    response.end('data: [DONE]\n\n');
  };
};

test('a stream that reports no usage counts with the tokens of the context and of the reply', async () => {
  rig.answer = streamOf(50);
  const answer = await rig.post('streamed', [user('count to fifty')], { key, stream: true });
  await answer.text();
  const { turns, input_tokens, output_tokens } = await until('the turn is counted', async () => {
    const numbers = await chatNumbers();
    return numbers.turns === 1 ? numbers : undefined;
  });
  const { tokens } = (await own.context('streamed')) as unknown as { tokens: { total: number } };
  expect(turns).toBe(1);
  expect(input_tokens).toBeGreaterThan(5);
  // The context has the reply now.
  expect(input_tokens + output_tokens).toBeGreaterThanOrEqual(tokens.total - 10);
  expect(input_tokens + output_tokens).toBeLessThanOrEqual(tokens.total + 10);
});

test('A129 a stream that its caller leaves before it reports its usage spends the budget all the same', async () => {
  await allow(40);
  const rest = Promise.withResolvers<void>();
  rig.answer = streamOf(50, rest.promise);
  const leaving = new AbortController();
  const answer = await rig.post('left', [user('count to fifty')], {
    key,
    stream: true,
    signal: leaving.signal,
  });
  let read = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    read += chunk;
    if (read.includes('word49')) break;
  }
  leaving.abort();
  await until('the turn is counted', async () => (await chatNumbers()).turns === 1);
  rest.resolve();
  expect((await chatNumbers()).output_tokens).toBe(50);
  expect((await rig.post('left', [user('count to fifty')], { key })).status).toBe(429);
});
