import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { Ledger, SourceIndex } from '../index.js';
import { withoutClippedWords } from './summary-line.js';

test.each([
  ['the refund for HAT2 ... and more', 'the refund for   and more'],
  ['a ...b ... c', '   c'],
  ['... a', '... a'],
  [' ... a b...', ' ... a b...'],
  ['one\ntwo ...', 'one\n '],
])('words before a mark of what was left out are no values: %j', (text, without) => {
  expect(withoutClippedWords(text)).toBe(without);
});

test.each(['-', 'a', '/', '漢'])('a summary of one long word is read in linear time: %s', (character) => {
  const text = character.repeat(150_000);
  const read = (): void => {
    new Ledger({ task_overview: text });
    new SourceIndex([{ field: 'task_overview', start: 0, text }], 1);
  };
  expect(threadMsOf(read)).toBeLessThan(2_000);
});
