import { expect, test } from 'vitest';
import { runCheck } from './run-check.js';

test.each([
  ['that throws', { run: () => Promise.reject(new Error('no Postgres here')) }, 'no Postgres here'],
  ['whose command is not installed', { command: ['no-such-program'] }, 'no-such-program'],
  ['with complaints', { run: () => Promise.resolve(['a is wrong', 'b is']) }, 'a is wrong\nb is'],
])('a check %s has failed, and says why', async (_what, check, why) => {
  const { ok, output } = await runCheck({ name: 'x', ...check });
  expect(ok).toBe(false);
  expect(output).toContain(why);
});

test('what a check says is kept, passed or not', async () => {
  const run = (say: (line: string) => void) => {
    say('3 files');
    return Promise.resolve([]);
  };
  expect(await runCheck({ name: 'x', run })).toMatchObject({ ok: true, output: '', lines: ['3 files'] });
});
