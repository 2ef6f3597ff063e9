import { describe, expect, test } from 'vitest';
import { hashOf, identityOf } from './identity.js';

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: {} };
const result = (value: string) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'list', output: { type: 'text', value } }],
});

describe('has the same identity', () => {
  test.each<[string, object, object]>([
    [
      'text as parts',
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ],
    ['a result and its stub', result('1 2 3'), result('[stored as out_1]')],
    [
      'an answer without its reasoning',
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, call] },
      { role: 'assistant', content: [call] },
    ],
    [
      'other metadata',
      { role: 'user', content: 'hi', providerOptions: { cache: true } },
      { role: 'user', content: 'hi', id: 'm1' },
    ],
    [
      'a result of Anthropic and its stub',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'long' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'stub' }] },
    ],
    [
      'a result of OpenAI and its stub',
      { role: 'tool', tool_call_id: 't1', content: 'long' },
      { role: 'tool', tool_call_id: 't1', content: 'stub' },
    ],
  ])('%s', (_, one, other) => expect(identityOf(one)).toBe(identityOf(other)));
});

describe('has another identity', () => {
  test.each<[string, object, object]>([
    [
      'outputs of a local shell, which name their calls in their ids',
      { type: 'local_shell_call_output', id: 'c1', output: 'done' },
      { type: 'local_shell_call_output', id: 'c2', output: 'done' },
    ],
    ['another text', { role: 'user', content: 'hi' }, { role: 'user', content: 'ho' }],
    ['another role', { role: 'user', content: 'hi' }, { role: 'assistant', content: 'hi' }],
    [
      'a call of another id',
      { role: 'assistant', content: [call] },
      { role: 'assistant', content: [{ ...call, toolCallId: 'c2' }] },
    ],
    [
      'a chat call of another id',
      { role: 'assistant', content: null, tool_calls: [{ type: 'function', id: 'c1' }] },
      { role: 'assistant', content: null, tool_calls: [{ type: 'function', id: 'c2' }] },
    ],
    [
      'an item of Responses: a call and its result',
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1' },
    ],
    [
      'words beside a result',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
          { type: 'text', text: 'Stop, and do the other thing.' },
        ],
      },
    ],
    [
      'an image beside the text',
      { role: 'user', content: 'look' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', image: 'AAAA' },
        ],
      },
    ],
  ])('%s', (_, one, other) => expect(identityOf(one)).not.toBe(identityOf(other)));
});

test('hashes of similar texts differ, and have 14 digits', () => {
  const hashes = Array.from({ length: 10_000 }, (_, i) => hashOf(`message ${i}`));
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(hashes.every((hash) => /^[0-9a-f]{14}$/.test(hash))).toBe(true);
});
