import { describe, expect, test } from 'vitest';
import { foreignParts } from './foreign.js';

const call = { id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } };
const content = (part: object) => ({ role: 'assistant', content: [part] });

describe('parts of another format are found with their path and the format they look like', () => {
  test.each([
    [
      'openai',
      content({ type: 'tool_use', id: 'a', name: 'run', input: {} }),
      '/content/0/type',
      'anthropic',
    ],
    ['openai', content({ type: 'tool_result', tool_use_id: 'a' }), '/content/0/type', 'anthropic'],
    ['openai', content({ type: 'tool-call', toolCallId: 'a' }), '/content/0/type', 'ai-sdk'],
    ['openai', content({ type: 'tool-result', toolCallId: 'a' }), '/content/0/type', 'ai-sdk'],
    ['openai', content({ type: 'input_text', text: 'x' }), '/content/0/type', 'responses'],
    ['openai', { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' }, '/type', 'responses'],
    ['anthropic', { role: 'assistant', content: 'x', tool_calls: [call] }, '/tool_calls', 'openai'],
    ['anthropic', { role: 'tool', tool_call_id: 'a', content: 'x' }, '/role', 'openai'],
    ['anthropic', { role: 'tool', content: [] }, '/role', 'ai-sdk'],
    ['anthropic', content({ type: 'tool-call', toolCallId: 'a' }), '/content/0/type', 'ai-sdk'],
    ['responses', { role: 'assistant', content: 'x', tool_calls: [call] }, '/tool_calls', 'openai'],
    ['responses', content({ type: 'tool_use', id: 'a' }), '/content/0/type', 'anthropic'],
    ['ai-sdk', { role: 'assistant', content: 'x', tool_calls: [call] }, '/tool_calls', 'openai'],
    ['ai-sdk', content({ type: 'tool_use', id: 'a' }), '/content/0/type', 'anthropic'],
  ] as const)('%s: %j', (format, message, path, looksLike) => {
    const [found] = foreignParts(format, { messages: [{ role: 'user', content: 'go' }, message] });
    expect(found).toMatchObject({ path: `/messages/1${path}`, looksLike });
  });
});

test.each([
  ['openai', content({ type: 'video_url', video_url: { url: 'https://example.com' } })],
  ['openai', content({ type: 'thinking', thinking: [] })],
  ['openai', { role: 'assistant', content: 'x', tool_calls: [call] }],
  ['anthropic', content({ type: 'container_upload', file_id: 'f' })],
  ['responses', { type: 'web_search_call', id: 'ws' }],
  ['ai-sdk', content({ type: 'source', url: 'https://example.com' })],
] as const)('parts that no other format claims stay accepted in %s: %j', (format, message) => {
  expect(foreignParts(format, { messages: [message] })).toEqual([]);
});
