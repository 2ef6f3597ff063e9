import { apiOf, startStack, startStubLlm, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stub: StubLlm;
let stack: Stack;
let api: Api;
beforeAll(async () => {
  stub = await startStubLlm();
  stub.answer = (call) => ({ content: `You said ${String(call.body.messages.at(-1)!.content)}` });
  stack = await startStack({
    env: stub.env,
  });
  api = apiOf(stack);
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
});
const say = (thread: string, body: object) => api.call('POST', `/v1/threads/${thread}/chat`, body);

test('a session is one call a turn: what is said, the context, the answer, all recorded', async () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
  await api.createThread({ id: 'session', system: 'You are brief.', tools });
  expect((await say('session', { content: 'one' })).body).toMatchObject({
    seq: 2,
    message: { content: 'You said one' },
  });
  expect((await say('session', { content: 'two' })).body).toMatchObject({
    seq: 4,
    message: { content: 'You said two' },
  });
  const sent = stub.calls.at(-1)!.body;
  expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(sent.tools).toEqual(tools);
  expect(await api.originals('session')).toHaveLength(4);
});

test('a model that fails costs nothing that was said: the same call without content goes on', async () => {
  const plain = stub.answer;
  stub.answer = () => ({ status: 500 });
  const failed = await say('retried', { content: 'hello' });
  expect(failed).toMatchObject({ status: 502, body: { code: 'upstream_failed' } });
  stub.answer = plain;
  expect((await say('retried', {})).body).toMatchObject({ seq: 2, message: { content: 'You said hello' } });
  expect(await api.originals('retried')).toHaveLength(2);
});

test('without a model configured it says so, and records nothing', async () => {
  const bare = await startStack({ workers: 0, redis: false });
  try {
    const answer = await apiOf(bare).call('POST', '/v1/threads/bare/chat', { content: 'hello' });
    expect(answer).toMatchObject({ status: 422, body: { code: 'upstream_not_configured' } });
    expect((await apiOf(bare).call('GET', '/v1/threads/bare')).status).toBe(404);
  } finally {
    await bare.stop();
  }
});
