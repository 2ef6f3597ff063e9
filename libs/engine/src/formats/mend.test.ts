import { expect, test } from 'vitest';
import { formats, type Body, type FormatName } from '../index.js';

const call = { id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } };
const result = (rest: object): Body => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'a', ...rest }],
});
const thinking = { type: 'thinking', thinking: 'Well.', signature: 'EqQB' };
const failed = '[The tool failed and said nothing.]';

test.each<[FormatName, string, Body, Body]>([
  [
    'openai',
    'an empty list of parts beside calls, as LangChain writes it',
    { role: 'assistant', content: [], tool_calls: [call] },
    { role: 'assistant', content: null, tool_calls: [call] },
  ],
  [
    'openai',
    'two empty lists beside a refusal',
    { role: 'assistant', content: [], refusal: 'no', tool_calls: [] },
    { role: 'assistant', content: null, refusal: 'no' },
  ],
  [
    'openai',
    'what the SDK parsed of an answer',
    {
      role: 'assistant',
      content: '{"n":1}',
      parsed: { n: 1 },
      tool_calls: [{ ...call, function: { ...call.function, parsed_arguments: {} } }],
    },
    { role: 'assistant', content: '{"n":1}', tool_calls: [call] },
  ],
  [
    'openai',
    'that it parsed nothing',
    { role: 'assistant', content: 'a', parsed: null },
    { role: 'assistant', content: 'a' },
  ],
  [
    'responses',
    'what the SDK parsed of a text',
    {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      content: [{ type: 'output_text', text: '{}', parsed: {} }],
    },
    { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: '{}' }] },
  ],
  [
    'responses',
    "a caller's own id of a message",
    { type: 'message', role: 'user', id: 'turn-1', content: 'a' },
    { type: 'message', role: 'user', content: 'a' },
  ],
  [
    'responses',
    "a caller's own id of an answer, which may look like that of a call",
    { role: 'assistant', id: 'fc_1', content: [{ type: 'output_text', text: 'a', parsed: {} }] },
    { role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
  ],
  [
    'responses',
    "a caller's own id of a call",
    { type: 'function_call', id: 'm:1', call_id: 'a', name: 'run', arguments: '{}' },
    { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
  ],
  [
    'responses',
    "a caller's own id of a result",
    { type: 'function_call_output', id: 'm:2', call_id: 'a', output: 'b' },
    { type: 'function_call_output', call_id: 'a', output: 'b' },
  ],
  [
    'responses',
    'what the SDK parsed of a call',
    { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}', parsed_arguments: null },
    { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
  ],
  [
    'anthropic',
    'an error without a text',
    result({ content: '', is_error: true }),
    result({ content: failed, is_error: true }),
  ],
  [
    'anthropic',
    'an error without content',
    result({ is_error: true }),
    result({ content: failed, is_error: true }),
  ],
  [
    'anthropic',
    'an error with empty texts alone',
    result({ content: [{ type: 'text', text: ' ' }], is_error: true }),
    result({ content: failed, is_error: true }),
  ],
  [
    'anthropic',
    'a whole answer, as the SDK returns it',
    {
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
  ],
  ...[thinking, { type: 'redacted_thinking', data: 'EmwKAhgB' }].flatMap(
    (thought): [FormatName, string, Body, Body][] => {
      const shown = {
        role: 'assistant',
        content: [thought, { type: 'text', text: '[The answer ended while thinking.]' }],
      };
      return [
        ['anthropic', `an answer of ${thought.type} alone`, { role: 'assistant', content: [thought] }, shown],
        [
          'anthropic',
          `an answer of ${thought.type} and an empty text`,
          { role: 'assistant', content: [thought, { type: 'text', text: '' }] },
          shown,
        ],
      ];
    },
  ),
])('%s refuses %s', (format, _what, posted, shown) => {
  expect(formats[format].mend(posted)).toEqual(shown);
});

test.each<[FormatName, string, Body]>([
  ['openai', 'parts', { role: 'assistant', content: [{ type: 'text', text: 'hi' }], tool_calls: [call] }],
  ['openai', 'a field of another server', { role: 'assistant', content: 'a', reasoning: 'hm' }],
  [
    'responses',
    'texts',
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
  ],
  ['responses', 'a result', { type: 'function_call_output', call_id: 'a', output: [] }],
  [
    'anthropic',
    'a call after thinking',
    { role: 'assistant', content: [thinking, { type: 'tool_use', id: 'a', name: 'run', input: {} }] },
  ],
  ['anthropic', 'an empty result', result({ content: '' })],
  ['anthropic', 'a result without content', result({})],
  ['anthropic', 'an error with a text', result({ content: 'no', is_error: true })],
  [
    'anthropic',
    'an error with a picture',
    result({
      content: [{ type: 'image', source: { type: 'url', url: 'https://example.com' } }],
      is_error: true,
    }),
  ],
])('%s takes %s, so it stays the same object', (format, _what, posted) => {
  expect(formats[format].mend(posted)).toBe(posted);
});
