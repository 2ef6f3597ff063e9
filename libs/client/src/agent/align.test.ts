import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { align } from './align.js';

/** One letter is the identity of one message. */
test.each([
  ['a new thread', 'ab', '', { known: 0, gone: 0 }],
  ['nothing new', 'abc', 'abc', { known: 3, gone: 0 }],
  ['a new message', 'abcd', 'abc', { known: 3, gone: 0 }],
  ['only new messages', 'de', 'abc', { known: 0, gone: 0 }],
  ['a caller that dropped its oldest messages', 'bcd', 'abc', { known: 2, gone: 0 }],
  ['only the newest recorded messages were read', 'abcd', 'bc', { known: 3, gone: 0 }],
  ['a recorded message that the caller changed on its way', 'xbcd', 'abc', { known: 3, gone: 0 }],
  ['the same message twice in a row', 'aaa', 'aa', { known: 2, gone: 0 }],
  ['the first message said again', 'abca', 'abc', { known: 3, gone: 0 }],
  ['a repeated end: the longest match counts', 'abab', 'aba', { known: 3, gone: 0 }],
  ['an answer to make again', 'a', 'ab', { known: 1, gone: 1 }],
  ['an edited message', 'abx', 'abcd', { known: 2, gone: 2 }],
  ['an edited message that said what the first one says', 'abx', 'aba', { known: 2, gone: 1 }],
  ['the first messages said again, then edited', 'abcx', 'abcab', { known: 3, gone: 2 }],
  ['a repeated beginning that the caller dropped', 'abc', 'abab', { known: 2, gone: 0 }],
  ['a request again whose answer was said before', 'abc', 'abcb', { known: 3, gone: 1 }],
  ['one whose answers are all the same', 'abcb', 'abcbdb', { known: 4, gone: 2 }],
  ['an edited message whose answer was said before', 'abx', 'abcb', { known: 2, gone: 2 }],
  ['a caller that keeps the first messages and the newest', 'abhx', 'abcdefgh', { known: 3, gone: 0 }],
  ['an edited first message looks like a new one', 'xb', 'ac', { known: 0, gone: 0 }],
  ['a place that the history does not reach from the start', 'bx', 'abcd', { known: 0, gone: 0 }],
  ['an empty history', '', 'abc', { known: 0, gone: 0 }],
])('%s: %j behind %j', (_, history, recorded, expected) => {
  expect(align([...history], [...recorded])).toEqual(expected);
});

test.each([
  ['a caller that lost its beginning and then went back', 'cdefx', 'abcdefgh', { known: 4, gone: 2 }],
  ['one that put a summary in its place', 'Scdefx', 'abcdefgh', { known: 5, gone: 2 }],
  ['one that went back and says nothing yet', 'bcde', 'abcdefgh', { known: 4, gone: 3 }],
  ['three in a row, which may be chance', 'cdex', 'abcdefgh', { known: 0, gone: 0 }],
  ['the longest of two places', 'abcdeabcdx', 'zabcdeyabcdq', { known: 5, gone: 6 }],
  ['a request again whose answer was said before', 'cdef', 'abcdefgf', { known: 4, gone: 2 }],
  ['what the end says wins over a longer place before it', 'cdefh', 'abcdefgh', { known: 5, gone: 0 }],
])('%s: %j behind %j', (_, history, recorded, expected) => {
  expect(align([...history], [...recorded])).toEqual(expected);
});

test.each([
  ['one message is the same by chance', 'dx', 'defgh', { known: 0, gone: 0 }],
  ['three are', 'defx', 'defgh', { known: 0, gone: 0 }],
  ['four are a place to go back to', 'abdefgx', 'defgh', { known: 6, gone: 1 }],
  ['the end needs one only', 'hx', 'defgh', { known: 1, gone: 0 }],
])('where older messages were not read, %s: %j behind %j', (_, history, recorded, expected) => {
  expect(align([...history], [...recorded], { older: true })).toEqual(expected);
});

test('messages that are all the same take no more time than others', () => {
  const took = (identityAt: (i: number) => string): number => {
    const of = (length: number) => Array.from({ length }, (_, i) => identityAt(i));
    const [history, recorded] = [of(48_000), ['another', ...of(16_000)]];
    return threadMsOf(() => expect(align(history, recorded).known).toBeGreaterThan(0));
  };
  const rounds = Array.from({ length: 5 }, () => [took(() => 'same'), took((i) => `${i}`)] as const);
  const least = (of: 0 | 1) => Math.min(...rounds.map((round) => round[of]));
  expect(least(0)).toBeLessThan(10 * least(1));
});
