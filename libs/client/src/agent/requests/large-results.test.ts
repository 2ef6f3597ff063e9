import { expect, test } from 'vitest';
import { identityOf } from '../identity.js';
import { largeResultsOf } from './large-results.js';

const anthropic = (...content: object[]) => ({ role: 'user', content });
const anthropicResult = (content: unknown, id = 't1') => ({ type: 'tool_result', tool_use_id: id, content });
const aiSdk = (output: object) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'sh', output }],
});
const responses = (output: unknown) => ({ type: 'function_call_output', call_id: 't1', output });
const chat = (content: unknown) => ({ role: 'tool', tool_call_id: 't1', content });
const parts = [
  { type: 'text', text: 'a' },
  { type: 'text', text: 'b' },
];
const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };

test.each<[string, object, string, object]>([
  ['OpenAI chat', chat('long'), 'long', chat('stub')],
  ['OpenAI chat in parts', chat(parts), 'a\nb', chat('stub')],
  ['Responses', responses('long'), 'long', responses('stub')],
  ['Responses in parts', responses([{ type: 'input_text', text: 'a' }]), 'a', responses('stub')],
  ['Anthropic', anthropic(anthropicResult('long')), 'long', anthropic(anthropicResult('stub'))],
  ['Anthropic in parts', anthropic(anthropicResult(parts)), 'a\nb', anthropic(anthropicResult('stub'))],
  ['AI SDK', aiSdk({ type: 'text', value: 'long' }), 'long', aiSdk({ type: 'text', value: 'stub' })],
  [
    'AI SDK, JSON',
    aiSdk({ type: 'json', value: { a: 1 } }),
    '{"a":1}',
    aiSdk({ type: 'text', value: 'stub' }),
  ],
  [
    'AI SDK, an error',
    aiSdk({ type: 'error-text', value: 'long' }),
    'long',
    aiSdk({ type: 'error-text', value: 'stub' }),
  ],
  [
    'AI SDK in parts',
    aiSdk({ type: 'content', value: parts }),
    'a\nb',
    aiSdk({ type: 'text', value: 'stub' }),
  ],
])('a stub takes the place of a result of %s', (_, message, text, stubbed) => {
  const [result] = largeResultsOf(message);
  expect(result).toMatchObject({ callId: 't1', text });
  expect(result!.stubbed(message, 'stub')).toEqual(stubbed);
  expect(identityOf(stubbed)).toBe(identityOf(message));
});

test('of several results the largest comes first, and each leaves the others as they are', () => {
  const message = anthropic(anthropicResult('short', 't1'), anthropicResult('longer', 't2'), image);
  const [larger, smaller] = largeResultsOf(message);
  expect([larger!.callId, smaller!.callId]).toEqual(['t2', 't1']);
  const once = larger!.stubbed(message, 'two');
  expect(smaller!.stubbed(once, 'one')).toEqual(
    anthropic(anthropicResult('one', 't1'), anthropicResult('two', 't2'), image),
  );
});

test.each<[string, object]>([
  ['a result with an image', anthropic(anthropicResult([...parts, image]))],
  ['a question', { role: 'user', content: 'long' }],
  ['a call', { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'sh', input: {} }] }],
  ['a result of a tool that the provider ran', responses(undefined)],
])('%s stays as it is', (_, message) => expect(largeResultsOf(message)).toEqual([]));
