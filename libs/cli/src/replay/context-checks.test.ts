import type { Context } from '@spillway/client';
import { expect, test } from 'vitest';
import { failuresOf } from './context-checks.js';

const contextOf = (messages: object[], other: object = {}): Context =>
  ({
    messages,
    last_seq: messages.length,
    tokens: { total: 10 },
    budget: { limit: 100 },
    summary: null,
    degraded: false,
    pending_calls: [],
    ...other,
  }) as unknown as Context;
const user = (content: string) => ({ role: 'user', content });
const openai = [
  { role: 'assistant', content: null, tool_calls: [{ id: 'a' }, { id: 'b' }] },
  { role: 'tool', tool_call_id: 'a', content: '' },
  { role: 'tool', tool_call_id: 'b', content: '' },
];
const anthropic = [
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
];
const responses = [
  { type: 'function_call', call_id: 'a' },
  { type: 'function_call_output', call_id: 'a' },
];
const toolSearch = [
  { type: 'tool_search_call', call_id: 'a', arguments: {} },
  { type: 'tool_search_output', call_id: 'a', tools: [] },
];
const aiSdk = [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'sh', input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'sh', output: {} }] },
];

test.each([
  ['openai', openai],
  ['anthropic', anthropic],
  ['responses', responses],
  ['responses, a search of tools', toolSearch],
  ['ai-sdk', aiSdk],
])('a call with its result is a pair, each alone is none: %s', (_name, messages) => {
  expect(failuresOf(contextOf(messages), null)).toEqual([]);
  expect(failuresOf(contextOf(messages.slice(1)), null)).toMatchObject([
    { check: 'pairs', what: 'the result of a has no call before it' },
  ]);
  const [failure] = failuresOf(contextOf(messages.slice(0, -1)), null);
  expect(failure).toMatchObject({ check: 'pairs' });
  expect(failure!.what).toMatch(/the call [ab] has no result/);
});

test('a call that the provider ran is no pair, whether its result has come or not', () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: {}, providerExecuted: true };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'search', output: {} };
  for (const content of [[call], [call, result], [result]])
    expect(failuresOf(contextOf([{ role: 'assistant', content }]), null)).toEqual([]);
  const program = { type: 'program_output', call_id: 'a', result: '' };
  expect(failuresOf(contextOf([program]), null)).toEqual([]);
});

test('a call that is pending may be open', () => {
  const pending = { pending_calls: [{ call_id: 'a' }] };
  expect(failuresOf(contextOf(anthropic.slice(0, 1), pending), null)).toEqual([]);
});

test('a context over its limit fails', () => {
  expect(failuresOf(contextOf([], { tokens: { total: 101 } }), null)).toEqual([
    { check: 'budget', at: 0, what: '101 tokens, limit 100' },
  ]);
});

test('a context begins with the one before it, unless a fold is in between or one is degraded', () => {
  const before = contextOf([user('a'), user('b')]);
  const changed = [user('a'), user('x'), user('c')];
  expect(failuresOf(contextOf([user('a'), user('b'), user('c')]), before)).toEqual([]);
  expect(failuresOf(contextOf(changed), before)).toMatchObject([
    { check: 'prefix', at: 3, what: 'message 2 is not that of the context before' },
  ]);
  expect(failuresOf(contextOf([user('a')]), before)).toMatchObject([{ check: 'prefix' }]);
  expect(failuresOf(contextOf(changed, { summary: { generation: 1 } }), before)).toEqual([]);
  expect(failuresOf(contextOf(changed, { degraded: true }), before)).toEqual([]);
});
