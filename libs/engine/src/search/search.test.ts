import { expect, test } from 'vitest';
import { formats, searchableText, searchScore, searchTerms, snippetOf } from '../index.js';

test('a query is words in any order, phrases in quotes, and itself', () => {
  expect(searchTerms('  Disk "is full" /var/log  ')).toEqual({
    whole: 'disk "is full" /var/log',
    parts: ['disk', 'is full', '/var/log'],
  });
});

test.each([
  ['the disk is full', 'disk full', 2],
  ['Disk Full!', 'disk full', 3],
  ['the disk', 'disk full', 1],
  ['nothing', 'disk full', 0],
  ['import { a } from "./b.js";', 'import { a } from "./b.js";', 8],
])('%j answers %j by %i', (text, query, score) => {
  expect(searchScore(text, searchTerms(query))).toBe(score);
});

test('a snippet shows what was found, on one line, with marks where it was cut', () => {
  const text = `${'before '.repeat(60)}the\n\tNEEDLE is here${' after'.repeat(60)}`;
  const snippet = snippetOf(text, searchTerms('needle'));
  expect(snippet).toContain('the NEEDLE is here');
  expect(snippet).toMatch(/^\.\.\. .* \.\.\.$/);
  expect(snippet.length).toBeLessThan(320);
});

test('arguments of calls are read without their escapes', () => {
  const call = {
    id: 'c',
    type: 'function',
    function: { name: 'edit', arguments: '{"path":"a.ts","text":"say \\"hi\\""}' },
  };
  const text = searchableText(formats.openai.read({ role: 'assistant', content: null, tool_calls: [call] }));
  expect(text).toBe('edit\npath: a.ts\ntext: say "hi"');
});
