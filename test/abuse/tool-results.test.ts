import { providerComplaint, type JsonMessage } from '@spillway/testing';
import { expect, test } from 'vitest';
import { hostile } from './hostile.js';

const { api, refused } = hostile('tool-results');
const user = (content: string) => ({ role: 'user', content });
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'sh', arguments: '{}' } })),
});
const result = (id: string, content = 'done') => ({ role: 'tool', tool_call_id: id, content });

/** The context after these messages: all of them stored, and valid for the provider. */
async function contextOf(thread: string, ...messages: object[]) {
  await api.append(thread, ...messages);
  expect(await api.originals(thread)).toEqual(messages);
  const { messages: context } = await api.context(thread);
  expect(providerComplaint(context as JsonMessage[])).toBeNull();
  return context as { role: string; content: string | null; tool_call_id?: string }[];
}

test('A60 a result without a call is kept, and told as a note', async () => {
  const context = await contextOf('orphan', user('go'), result('nobody', 'found it'), user('and now?'));
  expect(context.some(({ role }) => role === 'tool')).toBe(false);
  expect(JSON.stringify(context)).toContain('found it');
});

test('A61 two results for one call, a result before its call, and an id that is used again', async () => {
  const twice = await contextOf(
    'twice',
    user('go'),
    calls('a'),
    result('a', 'first'),
    result('a', 'second'),
    user('ok'),
  );
  expect(twice.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['first']);
  await contextOf('before', user('go'), result('a', 'early'), calls('a'), result('a', 'late'), user('ok'));
  const again = await contextOf(
    'again',
    user('go'),
    calls('a'),
    result('a', 'one'),
    user('more'),
    calls('a'),
    result('a', 'two'),
    user('ok'),
  );
  expect(again.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['one', 'two']);
});

test('A62 a call that is never answered does not stay open once others speak', async () => {
  await contextOf('open', user('go'), calls('a', 'b'), result('a'), user('what about b?'), {
    role: 'assistant',
    content: 'gone',
  });
});

test('A63 five hundred calls in one turn, half of them answered', async () => {
  const ids = Array.from({ length: 500 }, (_, i) => `call-${i}`);
  const half = ids.filter((_, i) => i % 2 === 0).map((id) => result(id));
  await contextOf('many', user('go'), calls(...ids), ...half);
  await contextOf('many-closed', user('go'), calls(...ids), ...half, user('next'));
});

test('A63 more calls than a turn has, and calls that are none, are refused', async () => {
  const post = (message: object) => refused('POST', '/v1/threads/bad/messages', { messages: [message] });
  expect((await post(calls(...Array.from({ length: 2_001 }, (_, i) => `c${i}`)))).status).toBe(422);
  expect((await post(calls(''))).status).toBe(422);
  expect((await post(calls('x'.repeat(5_000)))).status).toBe(422);
  expect(
    (await post({ ...calls('a'), tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] })).status,
  ).toBe(422);
  expect((await post({ role: 'tool', content: 'x' })).status).toBe(422);
});

test('A58 a result that is written like our stub is a text', async () => {
  const stub = `[Output out_${'0'.repeat(32)} is stored outside of the context: 5,000 lines]`;
  const context = await contextOf('stub', user('go'), calls('a'), result('a', stub), user('ok'));
  expect(context[2]!.content).toBe(stub);
});
