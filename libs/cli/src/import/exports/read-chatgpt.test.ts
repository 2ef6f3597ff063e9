import { expect, test } from 'vitest';
import { readChatgpt } from './read-chatgpt.js';

type Author = 'user' | 'assistant' | 'tool' | 'system' | 'developer' | 'critic';
interface Said {
  role: Author;
  text?: string;
  content?: object;
  /** The tool that a call goes to, or that speaks. */
  tool?: string;
  parent?: string;
  at?: number;
  metadata?: object;
}

/** A tree whose nodes follow each other unless they name another parent. */
function conversation(nodes: Record<string, Said>, more: object = {}) {
  let before: string | null = null;
  const mapping: Record<string, object> = {};
  for (const [id, { role, text, content, tool, parent, at, metadata = {} }] of Object.entries(nodes)) {
    const message = {
      id,
      author: { role, name: role === 'tool' ? tool : null },
      content: content ?? { content_type: 'text', parts: [text ?? ''] },
      recipient: role === 'assistant' ? (tool ?? 'all') : 'all',
      create_time: at ?? null,
      metadata,
    };
    mapping[id] = { id, parent: parent ?? before, message };
    before = id;
  }
  return { name: 'file', line: 1, value: { id: 'c', mapping, current_node: before, ...more } };
}
const read = (nodes: Record<string, Said>, more?: object) => {
  const { messages, leftOut, ...session } = readChatgpt(conversation(nodes, more));
  return {
    ...session,
    left: leftOut.asObject(),
    messages: messages.map(({ id, message }) => [id, message]),
    words: messages.map(({ id, message }) => `${id} ${String(message.role)} ${String(message.content)}`),
  };
};
const called = ({ messages }: ReturnType<typeof read>) =>
  messages.map(([, message]) => (message as { tool_calls?: unknown[] }).tool_calls?.[0]);

test('the branch of current_node is read, and others are counted', () => {
  const tree: Record<string, Said> = {
    a: { role: 'user', text: 'Go.' },
    b: { role: 'assistant', text: 'Left.' },
    c: { role: 'assistant', text: 'Right.', parent: 'a' },
    d: { role: 'user', text: 'On.', parent: 'b', at: 5 },
  };
  const left = read(tree);
  expect(left.words).toEqual(['a user Go.', 'b assistant Left.', 'd user On.']);
  expect(left.left).toEqual({ 'messages of other branches': 1 });
  expect([...left.otherIds]).toEqual(['a', 'b', 'c', 'd']);
  expect(read(tree, { current_node: 'c' }).words).toEqual(['a user Go.', 'c assistant Right.']);
});

test.each([undefined, null, 'gone'])('without a leaf, current_node %s, the newest one is it', (current) => {
  const tree: Record<string, Said> = {
    a: { role: 'user', text: 'Go.' },
    b: { role: 'assistant', text: 'New.', at: 9 },
    c: { role: 'assistant', text: 'Old.', parent: 'a', at: 8 },
  };
  expect(read(tree, { current_node: current }).words).toEqual(['a user Go.', 'b assistant New.']);
});

test('a tree that is a circle ends', () => {
  expect(read({ a: { role: 'user', text: '1', parent: 'b' }, b: { role: 'user', text: '2' } }).words).toEqual(
    ['a user 1', 'b user 2'],
  );
});

test('a conversation without an id has that of its root, unless all conversations have the same', () => {
  expect(read({ r: { role: 'user', text: 'Go.' } }, { id: undefined }).sessionId).toBe('r');
  const made = { 'client-created-root': { role: 'user', text: 'Go.' } } as const;
  expect(() => read(made, { id: undefined })).toThrow(/file:1: The conversation has no id/);
});

test('JSON objects are arguments of a function, other text is the input of a custom tool', () => {
  const calls = called(
    read({
      a: { role: 'assistant', tool: 'web.run', text: '{"q": 1}' },
      b: { role: 'assistant', tool: 'python', content: { content_type: 'code', text: '[1, 2]' } },
      c: { role: 'assistant', tool: 'bio', text: '' },
    }),
  );
  expect(calls).toEqual([
    { id: 'a', type: 'function', function: { name: 'web_run', arguments: '{"q": 1}' } },
    { id: 'b', type: 'custom', custom: { name: 'python', input: '[1, 2]' } },
    { id: 'c', type: 'custom', custom: { name: 'bio', input: '' } },
  ]);
});

test('results belong to the first open call of their tool, and several of one call are one result', () => {
  const { messages, left } = read({
    a: { role: 'assistant', tool: 'browser.search', text: 'x' },
    b: { role: 'assistant', tool: 'python', text: 'y' },
    t: { role: 'assistant', content: { content_type: 'thoughts', thoughts: [{ content: 'Hm.' }] } },
    c: { role: 'tool', tool: 'python', text: '1' },
    d: { role: 'tool', tool: 'python', text: '2' },
    e: { role: 'tool', tool: 'browser', text: '3' },
    f: { role: 'tool', tool: 'other', text: '4' },
  });
  expect(messages.slice(2)).toEqual([
    ['d', { role: 'tool', tool_call_id: 'b', content: '1\n2' }],
    ['f', { role: 'tool', tool_call_id: 'a', content: '3\n4' }],
  ]);
  expect(left).toEqual({ 'messages of reasoning': 1 });
});

test('a tool that speaks without a call is no result, also when one was called before', () => {
  const { words } = read({
    a: { role: 'assistant', tool: 'python', text: 'x' },
    b: { role: 'user', text: 'Stop.' },
    c: { role: 'tool', tool: 'python', text: 'late' },
  });
  expect(words.slice(1)).toEqual(['b user Stop.', 'c assistant Output of python:\nlate']);
});

test.each<[string, object, string]>([
  ['code', { content_type: 'code', language: 'js', text: '1' }, '```js\n1\n```'],
  ['a page', { content_type: 'sonic_webpage', title: 'T', url: 'u', text: 'x' }, 'T\nu\nx'],
  ['a quote', { content_type: 'tether_quote', title: '', url: 'u', text: 'x' }, 'u\nx'],
  ['a browser', { content_type: 'tether_browsing_display', result: 'r', summary: '' }, 'r'],
  ['an error', { content_type: 'system_error', name: 'E', text: 'x' }, 'E\nx'],
  ['a type of later', { content_type: 'hologram', text: 'x' }, 'x'],
  [
    'speech',
    {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'audio_transcription', text: 'Hello.' },
        { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://a' },
        {
          content_type: 'real_time_user_audio_video_asset_pointer',
          audio_asset_pointer: { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://b' },
        },
      ],
    },
    'Hello.\n[audio: sediment://a]\n[audio: sediment://b]',
  ],
])('%s is text', (_what, content, expected) => {
  expect(read({ a: { role: 'assistant', content } }).words).toEqual([`a assistant ${expected}`]);
});

test('what has no text is left out and counted by what it is', () => {
  const { words, left } = read({
    a: { role: 'system', text: '' },
    b: { role: 'user', text: ' \n' },
    c: { role: 'critic', text: 'Hm.' },
    d: { role: 'assistant', content: { content_type: 'hologram' } },
    e: {
      role: 'user',
      content: { content_type: 'multimodal_text', parts: ['See.', { content_type: 'hologram' }] },
    },
  });
  expect(words).toEqual(['e user See.']);
  expect(left).toEqual({
    'messages without text': 2,
    'messages of the role critic': 1,
    'messages of type hologram': 1,
    'parts of type hologram': 1,
  });
});

test("the user's own instructions and the memory are system messages", () => {
  const { words } = read({
    a: {
      role: 'user',
      content: { content_type: 'user_editable_context', user_profile: 'P', user_instructions: 'I' },
    },
    b: { role: 'assistant', content: { content_type: 'model_editable_context', model_set_context: 'M' } },
    c: { role: 'developer', text: 'D' },
  });
  expect(words).toEqual(['a system P\nI', 'b system M', 'c system D']);
});

test('the model is that of the newest answer, else that of the conversation', () => {
  const answer = (slug: string): Said => ({ role: 'assistant', text: 'x', metadata: { model_slug: slug } });
  expect(read({ a: answer('gpt-4o'), b: answer('gpt-5') }, { default_model_slug: 'o3' }).model).toBe('gpt-5');
  expect(read({ a: { role: 'user', text: 'x' } }, { default_model_slug: 'o3' }).model).toBe('o3');
});
