import { expect, test } from 'vitest';
import type { JsonObject } from '../json-value.js';
import { readSource } from '../source-file.js';
import { readLanggraph } from './read-langgraph.js';

const read = (messages: readonly object[]) => {
  const session = readLanggraph(readSource('file', Buffer.from(JSON.stringify(messages))));
  return {
    messages: session.messages.map(({ message }) => message),
    leftOut: session.leftOut.asObject(),
  };
};
/** The content of one message with blocks, as it is imported. */
const contentOf = (type: string, ...blocks: unknown[]) => {
  const { messages, leftOut } = read([{ type, content: blocks }]);
  return { content: messages[0]!.content, leftOut };
};
const text = (words: string) => ({ type: 'text', text: words });
const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
const linked = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

test.each<[string, unknown, object]>([
  ["Python's `base64`", { type: 'image', base64: 'aGk=', mime_type: 'image/png' }, png],
  ['`data` of JavaScript', { type: 'image', data: 'aGk=', mimeType: 'image/png' }, png],
  ['an older block', { type: 'image', source_type: 'base64', data: 'aGk=', mime_type: 'image/png' }, png],
  ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }, png],
  ['a URL', { type: 'image', url: 'https://example.com/a.png' }, linked],
  ['a URL in a text', { type: 'image_url', image_url: 'https://example.com/a.png' }, linked],
  [
    'OpenAI',
    { ...linked, image_url: { ...linked.image_url, detail: 'low' } },
    {
      ...linked,
      image_url: { ...linked.image_url, detail: 'low' },
    },
  ],
])('an image as in %s is one of OpenAI', (_, block, expected) => {
  expect(contentOf('human', block)).toEqual({ content: [expected], leftOut: {} });
});

test.each<[string, unknown, object]>([
  [
    'a recording',
    { type: 'audio', data: 'aGk=', mimeType: 'audio/mpeg' },
    { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
  ],
  [
    'a file of bytes',
    { type: 'file', base64: 'aGk=', mime_type: 'application/pdf', metadata: { filename: 'a.pdf' } },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' } },
  ],
  ['a file by its id', { type: 'file', file_id: 'file-1' }, { type: 'file', file: { file_id: 'file-1' } }],
  [
    "a file of OpenAI's",
    { type: 'file', file: { file_id: 'file-1' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ],
  [
    'a file of text',
    { type: 'file', source_type: 'text', text: 'Hi.', mime_type: 'text/plain' },
    text('Hi.'),
  ],
  ['plain text', { type: 'text-plain', text: 'Hi.', mimeType: 'text/plain' }, text('Hi.')],
  [
    'a document of Anthropic',
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
      title: 'a.pdf',
    },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' } },
  ],
  ['a block of no standard', { type: 'non_standard', value: text('Hi.') }, text('Hi.')],
])('%s is a part of OpenAI', (_, block, expected) => {
  expect(contentOf('human', block)).toEqual({ content: [expected], leftOut: {} });
});

test.each<[string, unknown, string]>([
  ['an image by its id', { type: 'image', fileId: 'file-1' }, '[image: file-1]'],
  [
    "an image by its id in Anthropic's form",
    { type: 'image', source: { type: 'file', file_id: 'f' } },
    '[image: f]',
  ],
  ['an older image by its id', { type: 'image', source_type: 'id', id: 'file-1' }, '[image: file-1]'],
  [
    'a recording by its URL',
    { type: 'audio', url: 'https://example.com/a.mp3' },
    '[audio: https://example.com/a.mp3]',
  ],
  [
    'a file by its URL',
    { type: 'file', url: 'https://example.com/a.pdf' },
    '[file: https://example.com/a.pdf]',
  ],
  ['a film', { type: 'video', data: 'aGk=', mimeType: 'video/mp4' }, '[video]'],
])('%s, which chat completions do not take, is its name', (_, block, note) => {
  const expected = { content: [text(note)], leftOut: { 'files by name': 1 } };
  expect(contentOf('human', block)).toEqual(expected);
});

test('what the provider ran itself, and a block that is not known, are left out and counted', () => {
  const blocks = [
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'rain' } },
    { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
    { type: 'server_tool_call', id: 's2', name: 'web_search', args: {} },
    { type: 'server_tool_call_result', toolCallId: 's2', status: 'success', output: {} },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { type: 'compaction', content: 'x' },
    text('It rains.'),
  ];
  expect(contentOf('ai', ...blocks)).toEqual({
    content: [text('It rains.')],
    leftOut: {
      'calls that the provider ran': 3,
      'results of calls that the provider ran': 2,
      'blocks of type compaction': 1,
    },
  });
});

test('a block that repeats a call is none beside it', () => {
  const args = { path: 'a' };
  const blocks = [
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
    { type: 'tool_call_chunk', id: 'c1', name: 'read', args: '{"path":"a"}' },
    { type: 'tool_use', id: 'c1', name: 'read', input: args },
  ];
  const { messages, leftOut } = read([
    { type: 'ai', content: blocks, tool_calls: [{ id: 'c1', name: 'read', args }] },
  ]);
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
    },
  ]);
  expect(leftOut).toEqual({});
});

/** A message as `JSON.stringify` of LangChain writes it. */
const stored = (name: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});

test('a call whose arguments are no JSON stays with its result', () => {
  const invalid = {
    type: 'invalid_tool_call',
    id: 'c1',
    name: 'read',
    args: '{"path": ',
    error: 'no JSON',
  };
  const { messages, leftOut } = read([
    stored('AIMessage', { content: '', invalid_tool_calls: [invalid] }),
    stored('ToolMessage', { content: 'The arguments are no JSON.', tool_call_id: 'c1' }),
  ]);
  expect(messages).toMatchObject([
    { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path": ' } }] },
    { role: 'tool', tool_call_id: 'c1' },
  ]);
  expect(leftOut).toEqual({});
});

test('a call without an id is named after its tool, and so is its result', () => {
  const { messages } = read([
    { type: 'ai', content: '', tool_calls: [{ name: 'read', args: {} }] },
    { type: 'tool', content: 'ok', name: 'read', tool_call_id: '' },
  ]);
  expect(messages).toMatchObject([{ tool_calls: [{ id: 'read' }] }, { tool_call_id: 'read' }]);
});

test('calls that only the fields of the provider have are calls', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
  const { messages } = read([{ type: 'ai', content: '', additional_kwargs: { tool_calls: [call] } }]);
  expect(messages).toMatchObject([{ tool_calls: [call] }]);
});

test('a call of the form before tool calls is a call, and its result is the result of it', () => {
  const call = { name: 'read', arguments: '{"path":"a"}' };
  const { messages, leftOut } = read([
    stored('AIMessage', { content: '', additional_kwargs: { function_call: call } }),
    stored('FunctionMessage', { content: 'ok', name: 'read' }),
    stored('AIMessage', { content: '', additional_kwargs: { function_call: { arguments: '{}' } } }),
  ]);
  expect(messages).toEqual([
    { role: 'assistant', content: '', tool_calls: [{ id: 'read', type: 'function', function: call }] },
    { role: 'tool', content: 'ok', tool_call_id: 'read' },
    { role: 'assistant', content: '' },
  ]);
  expect(leftOut).toEqual({ 'calls without a name': 1 });
});

test('a call that is stored in both forms is one call', () => {
  const made = { name: 'read', arguments: '{}' };
  const call = { id: 'c1', type: 'function', function: made };
  const { messages } = read([
    { type: 'ai', content: '', additional_kwargs: { tool_calls: [call], function_call: made } },
  ]);
  expect(messages).toMatchObject([{ tool_calls: [call] }]);
});

test('who wrote a message, and a refusal, are kept', () => {
  const { messages, leftOut } = read([
    stored('HumanMessage', { content: 'Go.', name: 'anna' }),
    stored('AIMessage', { content: '', name: 'planner', additional_kwargs: { refusal: 'I cannot.' } }),
    stored('HumanMessage', { content: 'Go on.', name: 'anna b' }),
  ]);
  expect(messages).toEqual([
    { role: 'user', content: 'Go.', name: 'anna' },
    { role: 'assistant', content: '', name: 'planner', refusal: 'I cannot.' },
    { role: 'user', content: 'Go on.' },
  ]);
  expect(leftOut).toEqual({ 'names that OpenAI does not take': 1 });
});

test('other fields of the provider are counted', () => {
  const more: JsonObject = {
    reasoning_content: 'Hm.',
    audio: { id: 'audio_1' },
    refusal: null,
    tool_calls: [],
  };
  const { messages, leftOut } = read([{ type: 'ai', content: 'Yes.', additional_kwargs: more }]);
  expect(messages).toEqual([{ role: 'assistant', content: 'Yes.' }]);
  expect(leftOut).toEqual({ 'blocks of reasoning': 1, 'other fields of the provider': 1 });
});
