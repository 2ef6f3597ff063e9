import { expect, test } from 'vitest';
import { ownMessages } from './own-messages.js';

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
