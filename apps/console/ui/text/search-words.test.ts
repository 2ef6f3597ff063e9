import { expect, test } from 'vitest';
import { aroundFirstWord } from './search-words';

const path = 'apps/api/src/project.ts ';

test('a text begins shortly before its first search word, at a word', () => {
  const shown = aroundFirstWord(`${path.repeat(6)}start-error.ts ${path}`, ['error']);
  expect(shown).toBe(`… apps/api/src/project.ts start-error.ts ${path}`);
});

test('a text whose first search word stands at its head, or is not in it, stays whole', () => {
  for (const text of [`An error: ${path.repeat(6)}`, path.repeat(6)])
    expect(aroundFirstWord(text, ['error'])).toBe(text);
});

test('a word that is longer than the part before it is cut, and never the search word', () => {
  expect(aroundFirstWord(`${'x'.repeat(100)}error`, ['error'])).toBe(`… ${'x'.repeat(40)}error`);
});
