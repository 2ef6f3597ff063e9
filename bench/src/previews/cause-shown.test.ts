import { expect, test } from 'vitest';
import { causeShown } from './cause-shown.js';

const long = `error: ${'x'.repeat(150)} ${'y'.repeat(300)}`;

test.each<[what: string, preview: string, cause: string[], any: boolean, all: boolean]>([
  ['every line of the cause', 'a\nboom: b\nat c\nd', ['boom: b', 'at c'], true, true],
  ['one line of two', 'a\nboom: b\nd', ['boom: b', 'at c'], true, false],
  ['no line of it', 'a\nd', ['boom: b'], false, false],
  ['text that stands in colours in the log', '12 boom: b', ['\u001b[31mboom:\u001b[0m b\r'], true, true],
  ['text with other whitespace', 'boom:   b', ['  boom:\tb'], true, true],
  ['lines without text, which count for nothing', 'boom', ['', 'boom', ' '], true, true],
  [
    'a line with a time alone, which counts for nothing',
    'boom',
    ['2024-05-07T08:49:38.28Z ', 'boom'],
    true,
    true,
  ],
  ['a label without text', 'boom', ['', ' '], false, false],
  ['the start of a long line', `${long.slice(0, 170)} [...]`, [long], true, true],
  ['too little of a long line', `${long.slice(0, 120)} [...]`, [long], false, false],
  ['the start of a line that is not long', 'boom: it w', ['boom: it was the file'], false, false],
])('%s', (_what, preview, cause, any, all) => {
  expect(causeShown(preview, { cause_text: cause })).toEqual({ any, all });
});
