import { expect, test } from 'vitest';
import { documentOf, outsideCodeSpans, partsOf } from './fences.js';

const document = 'a\n```ts name\nconst x = 1;\n```\nb\n````\n```\n````\n';

test('a document is split at its blocks, with their lines', () => {
  expect(partsOf(document)).toEqual([
    { kind: 'prose', text: 'a', line: 1 },
    { kind: 'block', info: 'ts name', text: 'const x = 1;', line: 2 },
    { kind: 'prose', text: 'b', line: 5 },
    { kind: 'block', info: '', text: '```', line: 6 },
    { kind: 'prose', text: '', line: 9 },
  ]);
});

test('a document is put together as it was', () => {
  const text = 'a\n\n```ts\n1\n```\n\nb\n';
  expect(documentOf(partsOf(text))).toBe(text);
});

test('a block that is not closed is refused', () => {
  expect(() => partsOf('a\n```ts\n')).toThrow('line 2 is not closed');
});

test('code spans are left alone', () => {
  expect(outsideCodeSpans('a `a` a', (text) => text.toUpperCase())).toBe('A `a` A');
});
