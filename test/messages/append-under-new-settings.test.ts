import { randomUUID } from 'node:crypto';
import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
/** Two processes of the API: what one changes, the other learns when its statement writes nothing. */
let [one, other]: Api[] = [];
beforeAll(async () => {
  stack = await startStack({ apis: 2, workers: 0 });
  [one, other] = stack.apis.map(({ url }) => apiOf({ url, key: stack.key })) as [Api, Api];
});
afterAll(() => stack?.stop());

const say = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
const change = async (id: string, settings: object) =>
  expect((await other!.call('PATCH', `/v1/threads/${id}`, settings)).status).toBe(200);
const post = async (id: string, messages: object[]): Promise<number> =>
  (await one!.call('POST', `/v1/threads/${id}/messages`, { messages })).status;

test('a pin is not refused under a limit that another process raised', async () => {
  const id = randomUUID();
  await one!.createThread({ id, policy: { context: { context_window: 4_000 } } });
  await one!.append(id, say('hello'));
  await change(id, { policy: { context: { context_window: 100_000 } } });
  expect(await post(id, [say('word '.repeat(2_000), { pinned: true })])).toBe(201);
});

test('messages are read in the format that another process set', async () => {
  const id = randomUUID();
  await one!.createThread({ id });
  await one!.append(id, say('hello'));
  await change(id, { format: 'anthropic' });
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'sh', input: {} }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'done' }] };
  expect(await post(id, [call, result])).toBe(201);
});

test('an append of which a part is recorded already follows the threshold that another process set', async () => {
  const id = randomUUID();
  await one!.createThread({ id });
  await one!.append(id, say('hello', { id: 'first' }));
  await change(id, { policy: { outputs: { threshold_tokens: 100 } } });
  const call = {
    role: 'assistant',
    content: null,
    id: 'call',
    tool_calls: [{ id: 'x', type: 'function', function: { name: 'sh', arguments: '{}' } }],
  };
  const result = { role: 'tool', tool_call_id: 'x', id: 'result', content: 'line of text\n'.repeat(300) };
  const { messages } = await one!.append(id, say('hello', { id: 'first' }), call, result);
  expect(messages[2]!.output).not.toBeNull();
});

test('a refusal that holds under the settings of now is one', async () => {
  const id = randomUUID();
  await one!.createThread({ id, policy: { context: { context_window: 4_000 } } });
  await one!.append(id, say('hello'));
  await change(id, { metadata: { changed: 'yes' } });
  expect(await post(id, [say('word '.repeat(2_000), { pinned: true })])).toBe(422);
});
