import { describe, expect, test } from 'vitest';
import type { JsonMessage } from '../http/api.js';
import { checkRequest, providerComplaint, type WireFormat } from './provider-rules.js';

/** Two calls with one id, each with its result: of one step, and of two. */
const repeated: Record<WireFormat, { inOneStep: JsonMessage[]; inTwoSteps: JsonMessage[] }> = {
  openai: of(
    (n) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: Array.from({ length: n }, () => ({
          id: 'call_0',
          type: 'function',
          function: { name: 'run', arguments: '{}' },
        })),
      },
    ],
    () => ({ role: 'tool', tool_call_id: 'call_0', content: 'done' }),
  ),
  responses: of(
    (n) =>
      Array.from({ length: n }, () => ({
        type: 'function_call',
        call_id: 'call_0',
        name: 'run',
        arguments: '{}',
      })),
    () => ({ type: 'function_call_output', call_id: 'call_0', output: 'done' }),
  ),
  anthropic: of(
    (n) => [
      {
        role: 'assistant',
        content: Array.from({ length: n }, () => ({
          type: 'tool_use',
          id: 'call_0',
          name: 'run',
          input: {},
        })),
      },
    ],
    () => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'done' }] }),
  ),
  'ai-sdk': of(
    (n) => [
      {
        role: 'assistant',
        content: Array.from({ length: n }, () => ({
          type: 'tool-call',
          toolCallId: 'call_0',
          toolName: 'run',
          input: {},
        })),
      },
    ],
    () => ({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_0',
          toolName: 'run',
          output: { type: 'text', value: 'done' },
        },
      ],
    }),
  ),
};

function of(calls: (n: number) => object[], result: () => object) {
  const messages = (...posted: object[]) => [{ role: 'user', content: 'go' }, ...posted] as JsonMessage[];
  return {
    inOneStep: messages(...calls(2), result(), result()),
    inTwoSteps: messages(...calls(1), result(), ...calls(1), result()),
  };
}

describe('two calls with one id', () => {
  const formats = Object.keys(repeated) as WireFormat[];

  test.each(formats)('of one step are refused: %s', (format) => {
    expect(providerComplaint(repeated[format].inOneStep, format)).toMatch(/repeats the call id call_0$/);
  });

  test.each(formats)("of two steps are refused, but in OpenAI's chat format: %s", (format) => {
    const complaint = providerComplaint(repeated[format].inTwoSteps, format);
    if (format === 'openai') expect(complaint).toBeNull();
    else expect(complaint).toMatch(/repeats the call id call_0$/);
  });
});

test('a result of the Responses API has the type that answers its call', () => {
  const call = { type: 'custom_tool_call', call_id: 'a', name: 'run', input: '' };
  const answered = (type: string): JsonMessage[] =>
    [call, { type, call_id: 'a', output: 'done' }].map((item) => ({ role: '', ...item }));
  expect(providerComplaint(answered('custom_tool_call_output'), 'responses')).toBeNull();
  expect(providerComplaint(answered('function_call_output'), 'responses')).toBe(
    'message 1 is a function_call_output and answers a custom_tool_call',
  );
});

test('Anthropic refuses an answer that ends in thinking', () => {
  const thinking = { type: 'thinking', thinking: 'Well.', signature: 'EqQB' };
  const messages = (content: object[]) => [
    { role: 'user', content: 'go' },
    { role: 'assistant', content },
  ];
  const complaint = (content: object[]) => providerComplaint(messages(content), 'anthropic');
  expect(complaint([thinking])).toBe('message 1 ends in thinking');
  expect(complaint([thinking, { type: 'text', text: 'hi' }])).toBeNull();
});

test('Anthropic takes four marks of the prefix to cache in all of a request', () => {
  const cache_control = { type: 'ephemeral' };
  const marked = (text: string) => [{ type: 'text', text, cache_control }];
  const messages = [
    { role: 'user', content: marked('one') },
    { role: 'assistant', content: marked('two') },
    { role: 'user', content: marked('three') },
  ];
  const tools = [{ name: 'run', input_schema: {}, cache_control }];
  expect(checkRequest('anthropic', { messages, tools })).toBeNull();
  expect(checkRequest('anthropic', { messages, tools, system: marked('Be brief.') })).toContain('Found 5');
});
