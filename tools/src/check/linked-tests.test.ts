import { describe, expect, test } from 'vitest';
import { linkedTests } from './linked-tests.js';

const tested = new Map([
  [
    'test/a.test.ts',
    {
      passed: ['F1 the whole name', 'a group', 'takes a|b and [c]'],
      skipped: ['F2 only in the long run'],
      long: ['F4 for npm run test:all'],
    },
  ],
]);
const table = (row: string) => `| id | what | test |\n| --- | --- | --- |\n${row}\n`;
const complaintsOf = (row: string, options = {}) =>
  linkedTests(table(row), 'docs', tested, options).complaints;

describe('a row', () => {
  test('that names a test which passed, by its full name, is proved', () => {
    expect(complaintsOf('| F1 | x | [F1 the whole name](../test/a.test.ts) |')).toEqual([]);
    expect(complaintsOf('| F1 | x | [a group](../test/a.test.ts) |')).toEqual([]);
    expect(complaintsOf('| F1 | x | [takes a\\|b and \\[c\\]](../test/a.test.ts) |')).toEqual([]);
  });

  test.each(['F1', 'the whole name', 'F1 the whole name and more'])(
    'is not proved by a part of a name, or more than the name: %s',
    (name) => {
      expect(complaintsOf(`| F1 | x | [${name}](../test/a.test.ts) |`)).toEqual([
        `F1: "${name}" in test/a.test.ts did not pass in the last run of tests`,
      ]);
    },
  );

  test('is not proved by a test of another file', () => {
    expect(complaintsOf('| F1 | x | [F1 the whole name](../test/b.test.ts) |')).toHaveLength(1);
  });

  test('is proved only if all of its tests passed', () => {
    const both = '[F1 the whole name](../test/a.test.ts), [F3 never written](../test/a.test.ts)';
    expect(complaintsOf(`| F1 | x | ${both} |`)).toEqual([
      'F1: "F3 never written" in test/a.test.ts did not pass in the last run of tests',
    ]);
  });

  test('with a test that was left out is not proved, and is counted as such when it is marked', () => {
    const row = (mark: string) => `| F2 | x ${mark} | [F2 only in the long run](../test/a.test.ts) |`;
    expect(complaintsOf(row(''))).toHaveLength(1);
    expect(linkedTests(table(row('(full)')), 'docs', tested)).toEqual({
      rows: 1,
      leftOut: ['F2'],
      complaints: [],
    });
  });

  test('with a test that is left to `npm run test:all` is counted as such, and not where each run must prove it', () => {
    const left = '[F4 for npm run test:all](../test/a.test.ts)';
    const row = `| F4 | x | ${left} |`;
    expect(linkedTests(table(row), 'docs', tested)).toEqual({ rows: 1, leftOut: ['F4'], complaints: [] });
    expect(complaintsOf(row, { eachRun: true })).toEqual(['F4: npm test runs none of its tests']);
    const both = `| F4 | x | ${left}<br>[F1 the whole name](../test/a.test.ts) |`;
    expect(complaintsOf(both, { eachRun: true })).toEqual([]);
  });

  test('without a test says why, where a document allows that', () => {
    const row = '| F7 | x | It needs a mount, which no test can make. |';
    expect(complaintsOf(row)).toEqual(['F7: names no test']);
    expect(complaintsOf(row, { mayExplain: true })).toEqual([]);
    expect(complaintsOf('| F7 | x | — |', { mayExplain: true })).toEqual(['F7: names no test']);
  });
});
