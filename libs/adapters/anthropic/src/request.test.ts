import { expect, test } from 'vitest';
import { historyOf, requestWith, systemOf, type MessagesBody } from './request.js';

const mark = { type: 'ephemeral' };
const thinking = { type: 'thinking', thinking: 'hm', signature: 'signed' };
const call = { type: 'tool_use', id: 'c1', name: 'list', input: {} };
const result = { type: 'tool_result', tool_use_id: 'c1', content: 'a long result' };
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

const body: MessagesBody = {
  model: 'claude',
  max_tokens: 500,
  system: [text('Be brief.', { cache_control: mark }), text('Be kind.')],
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ ...result, cache_control: mark }] },
  ],
};
const shortened = [
  { role: 'user', content: 'Summary: nothing yet.' },
  { role: 'assistant', content: [call] },
  { role: 'user', content: [{ ...result, content: '[stored as out_1]' }] },
];

test('messages are recorded without marks of the prefix to cache', () => {
  expect(historyOf(body)).toEqual([...body.messages.slice(0, 2), { role: 'user', content: [result] }]);
  expect(body.messages[2]).toEqual({ role: 'user', content: [{ ...result, cache_control: mark }] });
});

test('the system prompt is a text, or the texts of its blocks', () => {
  expect(systemOf({ ...body, system: 'Be brief.' })).toBe('Be brief.');
  expect(systemOf(body)).toBe('Be brief.\nBe kind.');
  expect(systemOf({ ...body, system: undefined })).toBeUndefined();
});

test('the context takes the place of the messages, with the caller’s newest mark at its end', () => {
  const { messages, ...rest } = requestWith(body, shortened, 'Be brief.\nBe kind.');
  expect(rest).toEqual({ model: 'claude', max_tokens: 500, system: body.system });
  expect(messages).toEqual([
    ...shortened.slice(0, 2),
    { role: 'user', content: [{ ...result, content: '[stored as out_1]', cache_control: mark }] },
  ]);
  const [asked] = body.messages;
  expect(requestWith({ ...body, messages: [asked!] }, shortened, null).messages).toBe(shortened);
});

test('a message of one text takes the mark too', () => {
  const marked = { ...body, messages: [{ role: 'user', content: [text('hi', { cache_control: mark })] }] };
  expect(requestWith(marked, [{ role: 'user', content: 'hi' }], null).messages).toEqual(marked.messages);
});

test('a system prompt that the thread changed takes the place of the caller’s', () => {
  expect(requestWith(body, shortened, 'Be long.').system).toBe('Be long.');
  expect(requestWith(body, shortened, null).system).toBe(body.system);
});

test.each<[string, object[], boolean]>([
  ['its thinking', [thinking, call], true],
  ['no thinking', [call], false],
])('thinking stays on in a tool loop that begins with %s', (_, content, isOn) => {
  const context = [shortened[0]!, { role: 'assistant', content }, shortened[2]!];
  const sent = requestWith({ ...body, thinking: { type: 'enabled' } }, context, null);
  expect(sent.thinking).toEqual(isOn ? { type: 'enabled' } : undefined);
});

test('thinking stays on when no tool loop runs', () => {
  const context = [
    { role: 'assistant', content: [text('Done.')] },
    { role: 'user', content: 'And now?' },
  ];
  expect(requestWith({ ...body, thinking: 1 }, context, null).thinking).toBe(1);
});
