import { expect, test } from 'vitest';
import { adaptersDocument, missingCases } from './document.js';

const one = { folder: 'one', name: '@spillway/one', framework: 'f', range: '^1.0.0', tested: '1.2.0' };
const two = { ...one, folder: 'two', name: '@spillway/two' };
const result = (group: string, title: string, status = 'passed') => ({ group, title, status });

test('has a row for each case and a column for each adapter', () => {
  const results = [result('one', 'a'), result('one', 'b', 'failed'), result('two', 'a')];
  const lines = adaptersDocument([one, two], results).split('\n');
  expect(lines).toContain('| [@spillway/one](../libs/adapters/one/README.md) | f | ^1.0.0 | 1.2.0 |');
  expect(lines).toContain('| case | one | two |');
  expect(lines).toContain('| a | yes | yes |');
  expect(lines).toContain('| b | **no** | not run |');
});

test('an adapter outside the suite has its reason in place of a column, and misses no case', () => {
  const other = { ...one, folder: 'claude-agent', name: '@spillway/claude-agent' };
  const lines = adaptersDocument([one, other], [result('one', 'a')]).split('\n');
  expect(lines).toContain('| case | one |');
  expect(
    lines.some((line) => line.startsWith('@spillway/claude-agent is not in the suite: its program')),
  ).toBe(true);
  expect(missingCases([one, other], [result('one', 'a')])).toEqual([]);
});

test('misses cases that failed or did not run, and adapters that no test drives', () => {
  const three = { ...one, folder: 'three', name: '@spillway/three' };
  const results = [
    result('one', 'a'),
    result('one', 'b', 'failed'),
    result('two', 'a', 'skipped'),
    result('two', 'b'),
  ];
  expect(missingCases([one, two, three], results)).toEqual([
    '@spillway/one: "b" did not pass',
    '@spillway/two: "a" did not pass',
    '@spillway/three has no driver in test/agents/adapters/conformance.test.ts',
  ]);
});
