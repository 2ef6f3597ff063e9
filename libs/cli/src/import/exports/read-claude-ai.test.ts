import { expect, test } from 'vitest';
import { readClaudeAi } from './read-claude-ai.js';

const message = (uuid: string, sender: string, content: object[] | undefined, more: object = {}) => ({
  uuid,
  sender,
  content,
  created_at: '2025-11-20T09:00:00Z',
  ...more,
});
const text = (words: string) => ({ type: 'text', text: words });
const read = (messages: unknown[], more: object = {}) => {
  const session = readClaudeAi({
    name: 'file',
    line: 4,
    value: { uuid: 'c', chat_messages: messages, ...more },
  });
  return {
    ...session,
    left: session.leftOut.asObject(),
    bodies: session.messages.map(({ id, message: body }) => [id, body]),
  };
};

test('an answer with calls and results is several messages, with ids and times of their own', () => {
  const { messages, otherIds } = read([
    message('a', 'assistant', [
      { ...text('One.'), stop_timestamp: '2025-11-20T09:00:01Z' },
      {
        type: 'tool_use',
        id: 't',
        name: 'web.search',
        input: { q: 1 },
        start_timestamp: '2025-11-20T09:00:02Z',
      },
      { type: 'tool_result', tool_use_id: 't', name: 'web.search', content: 'found' },
      text('Two.'),
    ]),
  ]);
  expect(messages.map(({ id, at, message: body }) => [id, at, body])).toEqual([
    [
      'a',
      '2025-11-20T09:00:02Z',
      {
        role: 'assistant',
        content: [text('One.'), { type: 'tool_use', id: 't', name: 'web_search', input: { q: 1 } }],
      },
    ],
    [
      'a.2',
      '2025-11-20T09:00:00Z',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [text('found')] }] },
    ],
    ['a.3', '2025-11-20T09:00:00Z', { role: 'assistant', content: [text('Two.')] }],
  ]);
  for (const { id } of messages) expect(otherIds).toContain(id);
});

test('calls without ids are named by their place, and results find them by their tool', () => {
  const { bodies } = read([
    message('a', 'assistant', [
      { type: 'tool_use', id: null, name: 'x', input: {} },
      { type: 'tool_use', name: 'y', input: {} },
      { type: 'tool_result', name: 'y', content: [text('of y')] },
      { type: 'tool_result', name: 'x', content: [text('of x')], is_error: true },
    ]),
  ]);
  expect(bodies[1]).toEqual([
    'a.2',
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a-1', content: [text('of y')] },
        { type: 'tool_result', tool_use_id: 'a-0', content: [text('of x')], is_error: true },
      ],
    },
  ]);
});

test('a result without its call is a text', () => {
  const { bodies } = read([
    message('a', 'assistant', [
      { type: 'tool_result', tool_use_id: 'gone', name: 'x', content: [text('found')] },
    ]),
  ]);
  expect(bodies).toEqual([['a', { role: 'assistant', content: [text('Output of x:\nfound')] }]]);
});

test('parts of results keep their text, and files their names', () => {
  const content = [
    { type: 'knowledge', title: 'T', url: 'u', text: 'x' },
    { type: 'image', file_uuid: 'f' },
    { type: 'local_resource', file_path: '/out/a.csv' },
    { type: 'hologram' },
  ];
  const { bodies, left } = read([
    message('a', 'assistant', [
      { type: 'tool_use', id: 't', name: 'x', input: {} },
      { type: 'tool_result', tool_use_id: 't', content },
    ]),
  ]);
  expect(bodies[1]![1]).toMatchObject({
    content: [{ content: [text('T\nu\nx'), text('[image: f]'), text('[file: /out/a.csv]')] }],
  });
  expect(left).toEqual({ 'files by name': 2, 'blocks of type hologram': 1 });
});

test('an export without blocks has its text, and one with blocks only these', () => {
  const { bodies } = read([
    message('a', 'human', undefined, { text: 'Old.' }),
    message('b', 'assistant', [], { text: 'Older.' }),
    message('c', 'assistant', [text('New.')], { text: 'New. This block is not supported.' }),
    message('d', 'human', [text('')], {
      text: '',
      attachments: [{ file_name: 'a.txt', extracted_content: 'words' }],
    }),
    message('e', 'human', [], {
      text: '',
      files: [{ file_name: 'b.pdf' }],
      attachments: [{ file_name: 'c.zip' }],
    }),
  ]);
  expect(
    bodies.map(([, body]) => (body as { content: { text: string }[] }).content.map((block) => block.text)),
  ).toEqual([['Old.'], ['Older.'], ['New.'], ['[file: a.txt]\nwords'], ['[file: c.zip]', '[file: b.pdf]']]);
});

test('reasoning, marks and empty messages are left out and counted', () => {
  const { bodies, left } = read([
    message('a', 'assistant', [{ type: 'thinking', thinking: 'Hm.' }, { type: 'token_budget' }]),
    message('b', 'human', [{ type: 'voice_note' }]),
  ]);
  expect(bodies).toEqual([]);
  expect(left).toEqual({
    'blocks of reasoning': 1,
    'blocks of type token_budget': 1,
    'blocks of type voice_note': 1,
    'messages without text': 2,
  });
});

test('of a tree the branch of its leaf is read, else that of its last message', () => {
  const root = '00000000-0000-4000-8000-000000000000';
  const tree = [
    message('a', 'human', [text('1')], { parent_message_uuid: root }),
    message('b', 'assistant', [text('2')], { parent_message_uuid: 'a' }),
    message('c', 'assistant', [text('3')], { parent_message_uuid: 'a' }),
  ];
  const ids = (more?: object) => read(tree, more).bodies.map(([id]) => id);
  expect(ids()).toEqual(['a', 'c']);
  expect(ids({ current_leaf_message_uuid: 'b' })).toEqual(['a', 'b']);
  expect(read(tree).left).toEqual({ 'messages of other branches': 1 });
  expect([...read(tree).otherIds]).toEqual(['a', 'b', 'c']);
});

test('a sender that is unknown, and ids that are missing, are refused with the conversation', () => {
  expect(() => read([message('a', 'robot', [text('1')])])).toThrow(
    /file:4: In the conversation c: The sender is "robot"/,
  );
  expect(() => read([{ sender: 'human' }])).toThrow(/file:4: In the conversation c: A message has no uuid/);
  expect(() => read([], { uuid: undefined })).toThrow(/file:4: The conversation has no uuid/);
});
