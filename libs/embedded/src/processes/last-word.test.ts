import { describe, expect, it } from 'vitest';
import { lastWord } from './last-word.js';

describe('lastWord', () => {
  it.each([
    {
      of: 'an uncaught error: the error, not the source line that threw it',
      lines: ["throw new TypeError('no such setting')", '^', 'TypeError: no such setting', '    at main'],
      word: 'TypeError: no such setting',
    },
    {
      of: 'a JSON log: the message of the error, not what went well before',
      lines: [
        '{"level":30,"msg":"starting"}',
        '{"level":60,"msg":"cannot listen","err":{"message":"EADDRINUSE"}}',
      ],
      word: 'Error: cannot listen: EADDRINUSE',
    },
    {
      of: 'plain lines: the last',
      lines: ['first', 'SPILLWAY_CONFIG is not there', ''],
      word: 'SPILLWAY_CONFIG is not there',
    },
    { of: 'silence: nothing', lines: ['', ' '], word: null },
  ])('of $of', ({ lines, word }) => {
    expect(lastWord(lines)).toBe(word);
  });
});
