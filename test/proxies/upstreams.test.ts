import OpenAI from 'openai';
import { apiOf, until } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { model, replies, user } from './proxy-rig.js';
import { untilLocked } from '../until-locked.js';
import { startUpstreamRig, type UpstreamRig } from './upstream-rig.js';

let rig: UpstreamRig;
beforeAll(async () => {
  rig = await startUpstreamRig();
});
afterAll(() => rig?.stop());
beforeEach(() => rig.reset());

test("each project's calls reach its own upstream alone, with its key; others reach the server's", async () => {
  for (const [key, provider, secret, text] of [
    [rig.keys.first, rig.first, 'sk-first-secret', 'of the first'],
    [rig.keys.second, rig.second, 'sk-second-secret', 'of the second'],
    [rig.stack.key, rig.ofServer, 'sk-of-the-server', 'of the server'],
  ] as const) {
    expect(provider.received).toEqual([]);
    expect(await (await rig.complete(key)).text()).toContain(text);
    expect(provider.received).toMatchObject([
      { url: '/v1/chat/completions', headers: { authorization: `Bearer ${secret}` } },
    ]);
  }
  expect(rig.counts()).toEqual([1, 1, 1]);
  const sent = await rig.post(rig.keys.first, 'responses', { model, input: 'b' });
  expect(sent.status).toBe(200);
  expect(rig.first.received.at(-1)!.url).toBe('/v1/responses');
  expect(rig.counts()).toEqual([1, 2, 1]);
});

test('/chat uses it as well, with the first listed model where nothing names one', async () => {
  await rig.put(rig.keys.first, 'openai', { base_url: `${rig.first.url}/v1`, models: ['theirs', 'other'] });
  const api = rig.apis.first;
  const chat = (id: string, body: object) =>
    api.call<{ message: { content: string } }>('POST', `/v1/threads/${id}/chat`, body);
  expect((await chat('chatted', { content: 'hello' })).body.message.content).toBe('of the first');
  expect(rig.first.received[0]).toMatchObject({
    body: { model: 'theirs' },
    headers: { authorization: 'Bearer sk-first-secret' },
  });
  expect((await chat('chatted', { content: 'hello', model: 'other' })).status).toBe(200);
  expect(await chat('chatted', { content: 'hello', model })).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/model' }] },
  });
  await rig.put(rig.keys.first, 'openai', { base_url: `${rig.first.url}/v1` });
  expect(await chat('unnamed', { content: 'hello' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/model', message: 'is missing' }] },
  });
  expect(rig.counts()).toEqual([0, 2, 0]);
});

test("an upstream of Anthropic's API stands beside one of OpenAI's, where the server has none", async () => {
  const message = { role: 'assistant', content: [{ type: 'text', text: 'hi' }] };
  rig.second.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  };
  const ask = (key: string) =>
    rig.post(key, 'messages', { model: 'claude-haiku-4-5', max_tokens: 9, messages: [user('a')] });
  // As Anthropic's SDK takes it: without a path.
  await rig.put(rig.keys.first, 'anthropic', { base_url: rig.second.url, key: 'sk-ant-first' });
  const answer = await ask(rig.keys.first);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(message);
  expect(rig.second.received[0]).toMatchObject({
    url: '/v1/messages',
    headers: { 'x-api-key': 'sk-ant-first' },
  });
  rig.second.answer = replies('of the second');
  const refused = await ask(rig.keys.second);
  expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'upstream_not_configured' }]);
  expect(rig.counts()).toEqual([0, 0, 1]);
});

test('an upstream without a key gets none, and least of all that of the server', async () => {
  await rig.put(rig.keys.first, 'openai', { base_url: `${rig.first.url}/v1`, key: null });
  expect((await rig.complete(rig.keys.first)).status).toBe(200);
  expect(rig.first.received[0]!.headers.authorization).toBeUndefined();
  expect(JSON.stringify(rig.first.received)).not.toContain('sk-');
});

test("a caller's own key replaces the project's, and its list of models still holds", async () => {
  await rig.put(rig.keys.first, 'openai', { base_url: `${rig.first.url}/v1`, models: [model] });
  const own = { authorization: 'Bearer sk-of-the-caller', 'spillway-key': rig.keys.first };
  expect((await rig.complete(rig.keys.first, { headers: own })).status).toBe(200);
  expect(rig.first.received[0]!.headers.authorization).toBe('Bearer sk-of-the-caller');
  expect((await rig.complete(rig.keys.first, { named: 'gpt-5', headers: own })).status).toBe(422);
  expect(rig.counts()).toEqual([0, 1, 0]);
});

test("a caller's own key may be as long as a gateway's token, and no other key stands in for an unreadable one", async () => {
  const complete = (authorization: string) =>
    rig.complete(rig.keys.first, { headers: { authorization, 'spillway-key': rig.keys.first } });
  const longest = `Bearer ${'t'.repeat(8_000)}`;
  expect((await complete(longest)).status).toBe(200);
  expect(rig.first.received[0]!.headers.authorization).toBe(longest);
  for (const unreadable of [`${longest}t`, 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer two words']) {
    const refused = await complete(unreadable);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: 'invalid_request', errors: [{ path: '/authorization' }] },
    ]);
  }
  const { first } = rig.keys;
  const unreadable = await rig.complete(first, { headers: { 'spillway-key': 'two words' } });
  expect(unreadable.status).toBe(401);
  expect(rig.counts()).toEqual([0, 1, 0]);
});

test('without an upstream of its own any more, a project uses that of the server, and its list', async () => {
  const api = rig.apis.first;
  expect((await rig.complete(rig.keys.first, { named: 'gpt-5' })).status).toBe(200);
  expect((await api.call('DELETE', '/v1/upstreams/openai')).status).toBe(204);
  expect(await api.call('DELETE', '/v1/upstreams/openai')).toMatchObject({
    status: 404,
    body: { code: 'upstream_not_found' },
  });
  expect((await rig.complete(rig.keys.first)).status).toBe(200);
  expect(rig.ofServer.received[0]!.headers.authorization).toBe('Bearer sk-of-the-server');
  await api.createThread({ id: 'asked-too' });
  const refused = await rig.post(
    rig.keys.first,
    'chat/completions',
    { model: 'o3-pro', messages: [user('a')] },
    { headers: { 'spillway-thread': 'asked-too' } },
  );
  expect(refused.status).toBe(422);
  expect(rig.counts()).toEqual([1, 1, 0]);
});

test('a model that is not listed is refused where an SDK looks for it, and nothing is recorded or sent', async () => {
  await rig.put(rig.keys.first, 'openai', {
    base_url: `${rig.first.url}/v1`,
    models: ['listed', 'org/listed-too'],
  });
  await rig.put(rig.keys.first, 'anthropic', { base_url: `${rig.first.url}/v1`, models: ['listed'] });
  const openai = new OpenAI({
    apiKey: rig.keys.first,
    baseURL: `${rig.stack.url}/v1`,
    maxRetries: 0,
    defaultHeaders: { 'Spillway-Thread': 'refused' },
  });
  const refused = await openai.chat.completions
    .create({ model, messages: [user('a')] })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OpenAI.APIError);
  expect(refused).toMatchObject({
    status: 422,
    type: 'invalid_request_error',
    code: 'invalid_request',
    param: 'model',
    error: { message: `The model ${model} is not allowed in this project.` },
  });
  const message = await rig.post(
    rig.keys.first,
    'messages',
    { model, max_tokens: 9, messages: [user('a')] },
    { headers: { 'spillway-thread': 'refused' } },
  );
  expect(await message.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining(model) as string },
  });
  const api = rig.apis.first;
  expect((await api.call('GET', '/v1/threads/refused')).status).toBe(404);
  expect(rig.counts()).toEqual([0, 0, 0]);
  expect((await rig.complete(rig.keys.first, { named: 'org/listed-too' })).status).toBe(200);
});

test('what a turn took is counted for the project, whoever answers', async () => {
  const key = await rig.stack.addProject('counted');
  const api = apiOf({ url: rig.stack.url, key });
  await rig.put(key, 'openai', { base_url: `${rig.first.url}/v1` });
  const chat = async () =>
    (await api.call<{ totals: { chat: { turns: number } } }>('GET', '/v1/usage')).body.totals.chat;
  expect((await rig.complete(key)).status).toBe(200);
  await until('the turn is counted', async () => (await chat()).turns > 0);
  expect(await chat()).toMatchObject({ turns: 1, input_tokens: 40, output_tokens: 5 });
  expect((await api.call('DELETE', '/v1/upstreams/openai')).status).toBe(204);
});

test('a change without a key that meets a removal of the upstream does not bring its key back', async () => {
  const holder = new pg.Client(rig.stack.databaseUrl);
  await holder.connect();
  const api = rig.apis.first;
  try {
    await holder.query('BEGIN; SELECT FROM upstreams FOR UPDATE');
    const removed = api.call('DELETE', '/v1/upstreams/openai');
    await untilLocked(rig.stack.databaseUrl, 1);
    const changed = api.call('PUT', '/v1/upstreams/openai', {
      base_url: `${rig.first.url}/v1`,
      models: ['one'],
    });
    await untilLocked(rig.stack.databaseUrl, 2);
    await holder.query('COMMIT');
    expect((await removed).status).toBe(204);
    expect(await changed).toMatchObject({ status: 200, body: { has_key: false, models: ['one'] } });
  } finally {
    await holder.end();
  }
});
