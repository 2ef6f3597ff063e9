import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexLines, LineIndexer } from './line-index.js';

test.each([
  ['', 1],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
])('%j has %i lines', (text, lines) => {
  expect(indexLines(Buffer.from(text)).lines).toBe(lines);
});

test('marks are the offsets of lines, however the bytes are cut into pieces', () => {
  const line = fc.stringMatching(/^[ab]{0,3}$/);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 2_000 }), fc.integer({ min: 1, max: 300 }), (all, size) => {
      const bytes = Buffer.from(all.join('\n'));
      const indexer = new LineIndexer();
      for (let at = 0; at < bytes.length; at += size) indexer.add(bytes.subarray(at, at + size));
      expect(indexer.index()).toEqual(indexLines(bytes));
      const { marks, linesPerMark } = indexer.index();
      marks.forEach((mark, i) => {
        const before = bytes.subarray(0, mark).toString().split('\n').length - 1;
        expect(before).toBe(i * linesPerMark);
      });
    }),
    { numRuns: 50 },
  );
});

test('the marks of a very long text stand further apart, and are still the offsets of lines', () => {
  const indexer = new LineIndexer();
  const chunk = Buffer.alloc(1024 * 1024, '\n');
  for (let i = 0; i < 40; i++) indexer.add(chunk);
  const { lines, marks, linesPerMark } = indexer.index();
  expect(lines).toBe(40 * 1024 * 1024);
  expect(linesPerMark).toBe(1_024);
  expect(marks.length).toBeLessThanOrEqual(65_536);
  expect(marks.every((mark, i) => mark === i * linesPerMark)).toBe(true);
});
