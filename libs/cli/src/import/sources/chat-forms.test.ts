import { describe, expect, test } from 'vitest';
import { detectSource, readSession } from './sources.js';
import { readSource } from './source-file.js';

const user = { role: 'user', content: 'Go.' };
const answer = (content: unknown) => ({ role: 'assistant', content });
const fileOf = (document: unknown) => readSource('file', Buffer.from(JSON.stringify(document)));
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };

describe('the form of a chat file is recognized', () => {
  test.each<[string, string, unknown[]]>([
    ['an answer without content, with calls', 'openai', [user, { role: 'assistant', tool_calls: [call] }]],
    ['an answer that is a refusal alone', 'openai', [user, { role: 'assistant', refusal: 'No.' }]],
    ['an answer that is a recording', 'openai', [user, { role: 'assistant', audio: { id: 'audio_1' } }]],
    [
      'a search that the provider ran',
      'anthropic',
      [user, answer([{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }])],
    ],
    [
      'the result of a search',
      'anthropic',
      [user, answer([{ type: 'web_search_tool_result', tool_use_id: 's', content: [] }])],
    ],
    [
      'a call of MCP',
      'anthropic',
      [user, answer([{ type: 'mcp_tool_use', id: 'm', name: 'x', server_name: 's', input: {} }])],
    ],
    [
      'a passage that was found',
      'anthropic',
      [{ role: 'user', content: [{ type: 'search_result', source: 's', title: 't', content: [] }] }],
    ],
    [
      'a later system message',
      'anthropic',
      [
        user,
        answer([{ type: 'thinking', thinking: 'Hm.', signature: 's' }]),
        { role: 'system', content: 'Be brief.' },
      ],
    ],
  ])('by %s', (_, source, messages) => {
    const file = fileOf({ messages });
    expect(detectSource(file).name).toBe(source);
    const session = readSession(source, file);
    expect(session.messages.map(({ message }) => message)).toEqual(messages);
  });
});

describe('messages of text alone', () => {
  const messages = [user, answer('Done.'), { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] }];

  test.each<[string, unknown, string, string[]]>([
    ['a list', messages, 'openai', ['responses', 'ai-sdk', 'anthropic']],
    ['a document', { model: 'm', messages }, 'openai', ['ai-sdk', 'anthropic']],
    ['a document with a system prompt', { system: 'Be kind.', messages }, 'anthropic', ['ai-sdk']],
    ['a request with model and system prompt', { model: 'm', system: 'Be kind.', messages }, 'anthropic', []],
    ['a message of a developer', [{ role: 'developer', content: 'x' }, ...messages], 'openai', []],
    ['a message with a name', [{ ...user, name: 'anna' }, ...messages], 'openai', []],
    [
      'messages with ids and times',
      [{ ...user, id: 'a', created_at: 1_763_629_200 }],
      'openai',
      ['responses', 'ai-sdk', 'anthropic'],
    ],
  ])('in %s are of one source, and the others are named', (_, document, name, others) => {
    expect(detectSource(fileOf(document))).toEqual({ name, others });
  });

  test.each([
    ['openai', 'user', 5],
    ['openai', 'user', null],
    ['openai', 'assistant', 5],
    ['openai', 'tool', {}],
    ['ai-sdk', 'user', 5],
    ['ai-sdk', 'assistant', null],
  ])(
    'of %s: a message of the role %s with the content %j is refused by its line',
    (source, role, content) => {
      const wrong = { role, content, tool_call_id: 'c1' };
      const file = readSource(
        'file',
        Buffer.from([user, wrong].map((one) => JSON.stringify(one)).join('\n')),
      );
      expect(() => readSession(source, file)).toThrow(
        'file:2: The content must be a text or a list of parts.',
      );
    },
  );
});
