import { expect, test } from 'vitest';
import { reportOf } from './report.js';

const ran = (file: string, seconds: number, failed: { name: string; error: string }[] = []) => ({
  file,
  seconds,
  failed,
});

test('failed tests come last, after the slowest files', () => {
  const failed = [{ name: 'stub > covers what it cut', error: 'Error: 3 lines' }];
  expect(reportOf([ran('a.test.ts', 1.25), ran('b.test.ts', 60, failed)])).toBe(
    [
      '2 test files. The slowest, in seconds:',
      '   60.0  b.test.ts',
      '    1.3  a.test.ts',
      'failed: b.test.ts > stub > covers what it cut: Error: 3 lines',
    ].join('\n'),
  );
});

test('of many files the twenty slowest are shown', () => {
  const lines = reportOf(Array.from({ length: 30 }, (_, i) => ran(`${i}.test.ts`, i))).split('\n');
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toContain('10.test.ts');
});
