import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { seqMessage } from '../messages/seq-message.js';
import { wordsAroundCall } from './words-around-call.js';

test.each(['-', 'a', '.'])('arguments of "%s" again and again are read in linear time', (character) => {
  const msOf = (length: number): number => {
    const input = JSON.stringify({ path: 'notes.md', text: character.repeat(length) });
    const call = { type: 'call' as const, id: 'c', name: 'write_file', input, custom: false };
    const parts = [{ type: 'text' as const, text: 'I write it down.' }, call];
    const messages = [seqMessage(1, { role: 'assistant', name: null, parts })];
    return threadMsOf(() => wordsAroundCall(messages, 0, input));
  };
  // Ten times as long: a hundred times the work, where it grows with the square.
  expect(msOf(40_000)).toBeLessThan(50 + 30 * msOf(4_000));
});
