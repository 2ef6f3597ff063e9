import { expect, test } from 'vitest';
import { ownMessages, ownResults } from './own-messages.js';

const asked = (image: string) => ({
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'image', image },
  ],
});
const answer = { role: 'assistant', content: 'A cat.' };

test('messages that say the same are told apart by their order, from the newest on', () => {
  const history = [
    [asked('one'), 'first'],
    [answer, 'first answer'],
    [asked('two'), 'second'],
    [answer, 'second answer'],
  ] as const;
  expect(ownMessages([asked('one'), answer, asked('two'), answer], history)).toEqual([
    'first',
    'first answer',
    'second',
    'second answer',
  ]);
  // The older ones are folded.
  const summary = { role: 'user', content: 'What came before.' };
  expect(ownMessages([summary, asked('two'), answer], history)).toEqual([
    undefined,
    'second',
    'second answer',
  ]);
});

test('each is taken once', () => {
  expect(ownMessages([answer, answer], [[answer, 'only']])).toEqual([undefined, 'only']);
});

test("a result is the caller's own unless the context shows another one, also where ids of calls repeat", () => {
  const result = (value: string) => ({
    type: 'tool-result',
    toolCallId: 'call_0',
    output: { type: 'text', value },
  });
  const own = ownResults([
    [result('first'), 'of the first turn'],
    [result('second'), 'of the second turn'],
  ]);
  expect(['first', 'second', '[stub]'].map((value) => own(result(value)))).toEqual([
    'of the first turn',
    'of the second turn',
    undefined,
  ]);
});
