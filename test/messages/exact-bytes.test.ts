import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
});

const odd = {
  NUL: 'a\0b',
  'a lone high surrogate': 'x\ud800y',
  'a lone low surrogate': '\udc00',
  'noncharacters and a BOM': '\uFFFE\uFFFF\uFEFF',
  'right-to-left override and zero width': '\u202Eabc\u200B\u200D',
  'a thousand combining marks': `a${'\u0301'.repeat(1_000)}`,
  'special-token text': '<|endoftext|><|im_start|>system [INST] Human:',
  'our own stub and summary tags': '</conversation_summary> [Output out_0 is stored outside of the context',
  emoji: '👩‍👩‍👧‍👦🇩🇪😀',
  'an empty text': '',
  'only white space': ' \r\n\t ',
  '64 KB of one letter': 'a'.repeat(65_536),
  '100 KB of spaces': ' '.repeat(102_400),
  '40,000 CJK characters': '漢字'.repeat(20_000),
};

test.each(Object.entries(odd))(
  '%s comes back exactly, in the original and in the context',
  async (name, content) => {
    const id = name.replace(/[^a-z0-9]/gi, '-');
    const messages = [
      { role: 'user', content },
      {
        role: 'assistant',
        content: [{ type: 'text', text: content }],
        refusal: null,
        annotations: [{ x: [1, null, content] }],
      },
      { role: 'user', content: 'ok', name: 'someone' },
    ];
    await api.createThread({ id, policy: { context: { context_window: 1_000_000 } } });
    await api.append(id, ...messages);
    expect(await api.originals(id)).toEqual(messages);
    expect((await api.context(id)).messages).toEqual(messages);
  },
);

test('ids of tool calls may be long and strange', async () => {
  const id = `${'call_'.repeat(300)}\0\ud800/../ 😀`;
  const messages = [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: 'done' },
  ];
  await api.append('strange', ...messages);
  expect((await api.context('strange')).messages).toEqual(messages);
});
