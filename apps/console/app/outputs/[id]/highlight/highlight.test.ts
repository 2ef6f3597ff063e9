import { expect, test } from 'vitest';
import { highlighter } from './highlight';

const piecesOf = (pattern: string, text: string) => highlighter({ pattern, ignoreCase: false })(text);
const hitsOf = (pattern: string, text: string) =>
  piecesOf(pattern, text)
    .filter(({ hit }) => hit)
    .map((piece) => piece.text);

test.each([
  ['error', 'an error, an error', ['error', 'error']],
  ['colou?r', 'color, colour', ['color', 'colour']],
  [String.raw`https?://\S+`, 'see https://a.b/c now', ['https://a.b/c']],
  ['(error|warn): .*', 'a warn: low', ['warn: low']],
  ['one|two|three|four|five|six|seven', 'two or six', ['two', 'six']],
  [String.raw`why\?\?\?\*\+`, 'why???*+', ['why???*+']],
  ['[?*+{|]x+', '*xx |x', ['*xx', '|x']],
  ['x.+?y', 'xayay', ['xay']],
  ['(?:ab)c', 'abc', ['abc']],
  [String.raw`\)*;`, 'f());', ['));']],
  ['a{2}', 'aaa', ['aa']],
])('%s marks what it matches', (pattern, text, hits) => expect(hitsOf(pattern, text)).toEqual(hits));

// A browser needs a time for these that doubles with each repeat, or more.
test.each([
  ['.?'.repeat(12) + '.'.repeat(12), 'a'.repeat(24)],
  ['.??'.repeat(12) + '.'.repeat(12), 'a'.repeat(24)],
  ['(?:.|a)'.repeat(12), 'a'.repeat(12)],
  ['}?'.repeat(12), '}'.repeat(12)],
  ['[)]?'.repeat(12), ')'.repeat(12)],
  [String.raw`\(?`.repeat(12), '('.repeat(12)],
  [String.raw`\[?`.repeat(12) + ']', '[[]'],
  ['.{3}.{3}', 'aaaaaa'],
  ['a{1,9}a{1,9}', 'aaaaaa'],
  ['a*b*', 'ab'],
  ['a?b?c*', 'abc'],
  ['(a|b)(c|d)e*', 'ace'],
  ['(ab)*', 'abab'],
  ['(a+', 'a'],
])('%s marks no part of its line', (pattern, text) =>
  expect(piecesOf(pattern, text)).toEqual([{ text, hit: false }]),
);

test('a pattern with a repeat marks only the start of a very long line, one without marks all of it', () => {
  const text = `abb ${'-'.repeat(40_000)} abb`;
  expect(hitsOf('ab*', text)).toEqual(['abb']);
  expect(hitsOf('ab?b', text)).toEqual(['abb', 'abb']);
  expect(
    piecesOf('ab*', text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});
