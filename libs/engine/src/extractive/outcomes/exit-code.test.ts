import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../../test/thread-time.js';
import { exitCodeIn } from './exit-code.js';

test.each<[string, number | null]>([
  ['Exit code: 1\nWall time: 0.2 seconds\nOutput:\nboom', 1],
  ['Chunk ID: 4f\nProcess exited with code 2\nOutput:\nboom', 2],
  ['boom\n[exit code 0]', 0],
  ['boom\n\n[Command finished with exit code 137]', 137],
  ['boom\nCommand exited with code 1\n', 1],
  ['npm ERR! Exit status 3', 3],
  ['<returncode>1</returncode>\n<output>\nboom\n</output>', 1],
  ['boom\n<exit_code>1</exit_code>', 1],
  ['ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1', 1],
  // It is said of something else, or by what was printed.
  ['The worker should restart the job when it exited with code 1', null],
  ['one\ntwo\nthree\nexit code 1\nfive\nsix\nseven\neight', null],
  ['', null],
])('the exit code of %j is %j', (text, code) => {
  expect(exitCodeIn(text)).toBe(code);
});

test.each(['a', ' ', 'exit ', '.'])('"%s" again and again is read in linear time', (characters) => {
  const text = characters.repeat(200_000);
  expect(threadMsOf(() => exitCodeIn(text))).toBeLessThan(1_000);
});
