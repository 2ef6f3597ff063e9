import { expect, test } from 'vitest';
import { oneOf } from './one-of.js';

test('one pattern finds what any of several finds, tried in order', () => {
  const either = oneOf([/^(?:never|do not)\b/, /\bat all times\b|\bas a rule\b/, /^do not\b.*/]);
  expect(['never push', 'be brief at all times', 'as a rule'].map((text) => either.test(text))).toEqual([
    true,
    true,
    true,
  ]);
  expect(['I never push', 'at all times together'].map((text) => either.exec(text)?.[0])).toEqual([
    undefined,
    'at all times',
  ]);
  expect(either.exec('do not push')?.[0]).toBe('do not');
  expect(oneOf([/^a/i, /b$/i]).test('xB')).toBe(true);
});

test('patterns that read letters in different ways are not made one', () => {
  expect(() => oneOf([/a/, /b/i])).toThrow('2 sets of flags');
});
