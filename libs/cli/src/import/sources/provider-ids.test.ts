import { expect, test } from 'vitest';
import { readCodex } from './read-codex.js';
import { readResponses } from './read-responses.js';
import { readSource } from './source-file.js';

const sealed = `rs_${'Ab+/'.repeat(100)}==`;
const items = [
  { type: 'message', role: 'user', id: null, content: [{ type: 'input_text', text: 'Go.' }] },
  { type: 'reasoning', id: sealed, summary: [] },
  { type: 'web_search_call', id: 'ws 1', status: 'completed' },
  { type: 'reasoning', id: 'rs_1', summary: [] },
  { type: 'reasoning', id: `rs_${'a'.repeat(190)}`, summary: [] },
];
const fileOf = (lines: readonly object[]) =>
  readSource('file', Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')));

test.each([
  ['a file of Responses', () => readResponses(fileOf(items))],
  [
    'a session of Codex',
    () => readCodex(fileOf(items.map((payload) => ({ type: 'response_item', payload })))),
  ],
])('items of %s keep the ids of their provider, of whatever form', (_, read) => {
  const { messages } = read();
  const { id: _null, ...first } = items[0]!;
  expect(messages.map(({ message }) => message)).toEqual([first, ...items.slice(1)]);
  // An id that the API takes is that of the message; the API makes one from the key of the request for the others.
  expect(messages.map(({ hasOwnId = false }) => hasOwnId)).toEqual([false, false, false, true, true]);
  expect(messages.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^at-0-\w+:0$/),
    expect.stringMatching(/^at-1-\w+:0$/),
    expect.stringMatching(/^at-2-\w+:0$/),
    items[3]!.id,
    items[4]!.id,
  ]);
});

test('a time is taken from an item whose id is long', () => {
  const { messages } = readResponses(fileOf([{ ...items[1], created_at: 1_763_629_200 }]));
  expect(messages[0]).toMatchObject({ message: items[1], at: '2025-11-20T09:00:00.000Z' });
  expect(messages[0]!.message).not.toHaveProperty('created_at');
});
