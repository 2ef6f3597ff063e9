import { expect, test } from 'vitest';
import { historyOf, requestWith, systemOf, type MessagesBody, type Served } from './request.js';

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

/** What Spillway serves. */
const served = (messages: object[], more: object = {}) =>
  ({
    messages,
    system: null,
    summary: null,
    reasoning: { why: [] },
    elided: [],
    ...more,
  }) as unknown as Served;

test('messages are recorded without marks of the prefix to cache', () => {
  expect(historyOf(body)).toEqual([...body.messages.slice(0, 2), { role: 'user', content: [result] }]);
  expect(body.messages[2]).toEqual({ role: 'user', content: [{ ...result, cache_control: mark }] });
});

test('marks within a result are taken out too, and count as the newest', () => {
  const parts = [text('a long result', { cache_control: mark })];
  const asked = { ...body, messages: [{ role: 'user', content: [{ ...result, content: parts }] }] };
  expect(historyOf(asked)).toEqual([
    { role: 'user', content: [{ ...result, content: [text('a long result')] }] },
  ]);
  const { messages } = requestWith(asked, served([shortened[2]!]));
  expect(messages[0]).toMatchObject({ content: [{ tool_use_id: 'c1', cache_control: mark }] });
});

test('the system prompt is a text, or the texts of its blocks', () => {
  expect(systemOf({ ...body, system: 'Be brief.' })).toBe('Be brief.');
  expect(systemOf(body)).toBe('Be brief.\nBe kind.');
  expect(systemOf({ ...body, system: undefined })).toBeUndefined();
});

test('the context takes the place of the messages, with the caller’s newest mark at its end', () => {
  const { messages, ...rest } = requestWith(body, served(shortened, { system: 'Be brief.\nBe kind.' }));
  expect(rest).toEqual({ model: 'claude', max_tokens: 500, system: body.system });
  expect(messages).toEqual([
    ...shortened.slice(0, 2),
    { role: 'user', content: [{ ...result, content: '[stored as out_1]', cache_control: mark }] },
  ]);
  const [asked] = body.messages;
  expect(requestWith({ ...body, messages: [asked!] }, served(shortened)).messages).toBe(shortened);
});

test('a message of one text takes the mark too', () => {
  const marked = { ...body, messages: [{ role: 'user', content: [text('hi', { cache_control: mark })] }] };
  expect(requestWith(marked, served([{ role: 'user', content: 'hi' }])).messages).toEqual(marked.messages);
});

test('a system prompt that the thread changed takes the place of the caller’s', () => {
  expect(requestWith(body, served(shortened, { system: 'Be long.' })).system).toBe('Be long.');
  expect(requestWith(body, served(shortened)).system).toBe(body.system);
});

const lost = { reasoning: { why: ['prefix_changed_in_tool_loop'] } };
const lostBefore = { reasoning: { why: ['prefix_changed'] } };
const shortenedOne = { elided: [{ from_seq: 2, to_seq: 2, reason: 'shortened' }] };
const folded = { summary: { generation: 1 } };
const enabled = { type: 'enabled', budget_tokens: 1_024 };
const adaptive = { type: 'adaptive' };

test.each<[string, object, object[], object, boolean]>([
  ['that begins with its thinking', enabled, [thinking, call], lost, true],
  ['that lost its thinking', enabled, [call], lost, false],
  ['that lost its thinking when it was shortened', enabled, [call], shortenedOne, false],
  ['that goes on without thinking since a fold', enabled, [call], folded, false],
  ['that begins with its thinking after a fold', enabled, [thinking, call], folded, true],
  ['in which the model did not think', enabled, [call], {}, true],
  ['in which the model did not think, after one that lost its thinking', enabled, [call], lostBefore, true],
  ['of a model that decides by itself when to think', adaptive, [call], lost, true],
])('thinking in a tool loop %s', (_, asked, content, more, isOn) => {
  const context = [shortened[0]!, { role: 'assistant', content }, shortened[2]!];
  const sent = requestWith({ ...body, thinking: asked }, served(context, more));
  expect(sent.thinking).toEqual(isOn ? asked : undefined);
});

test('thinking stays on when no tool loop runs', () => {
  const context = [
    { role: 'assistant', content: [text('Done.')] },
    { role: 'user', content: 'And now?' },
  ];
  expect(requestWith({ ...body, thinking: enabled }, served(context, lost)).thinking).toBe(enabled);
});
