import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureRules } from './failure-rules.js';
import { PatternSet } from './pattern-set.js';
import { requiredWords } from './required-words.js';

describe('the words that each match contains', () => {
  test.each<[RegExp, string[] | null]>([
    [/\bpanicked at\b/, ['panicked at']],
    [/^Error: \S/i, ['error: ']],
    // Of a sequence the words that are longest at least: here the verbs, and not "to".
    [/(?:unable|failed) to (?:go|open)/, ['unable', 'failed']],
    [/[Uu]nbound (?:value|module)/, ['unbound ']],
    // What may be missing is no word.
    [/(?:fatal )?error\b/, ['error']],
    [/colou?rs/, ['colo']],
    [/(?:fatal )?\d+/, null],
    [/(?:error|\d+)/, null],
    [/(?:ab)*/, null],
    [/(?:core dumped){2}/, ['core dumped']],
    // A class of several letters may be any of them, and an assertion is no part of a match.
    [/[ae]rror/, ['rror']],
    [/x{3}(?!fatal)/, null],
    [/(?<!fatal )xyz/, ['xyz']],
    [/→ done|✗ failed/u, [' done', ' failed']],
    [/[^e]rr/, ['rr']],
  ])('of %s', (pattern, words) => {
    expect(requiredWords(pattern)).toEqual(words);
  });
});

describe('a set of patterns', () => {
  test('finds the first one that matches, where words are parts of others and cases differ', () => {
    const set = new PatternSet([/she said/, /he said/i, /hers/, /^\d+$/, /said/]);
    expect(
      ['she said', 'SHE SAID', 'ushers', '42', 'He said', 'nothing'].map((line) => set.first(line)),
    ).toEqual([0, 1, 2, 3, 1, -1]);
  });

  test('finds what trying each pattern finds, whatever number of them there is', () => {
    const patterns = Array.from({ length: 70 }, (_, i) => new RegExp(`word${i}!`));
    const set = new PatternSet(patterns);
    patterns.forEach((_, i) =>
      expect(set.first(`a word${i}! and word${(i * 7) % 70}!`)).toBe(Math.min(i, (i * 7) % 70)),
    );
  });

  test('of all rules of failures finds in any line what trying each finds', () => {
    const patterns = failureRules.map(({ pattern }) => pattern);
    const set = new PatternSet(patterns);
    const words = [...new Set(patterns.flatMap((pattern) => requiredWords(pattern) ?? []))];
    const piece = fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom(...words).map((word) => word.toUpperCase()),
      fc.constantFrom(...words).map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
      fc.constantFrom(
        ': ',
        ' ',
        '(',
        ')',
        '[',
        ']',
        '"',
        '=',
        '✗ ',
        '❌',
        '→',
        'src/a.ts:12:3',
        '404',
        '0',
        'to be',
      ),
      fc.string({ maxLength: 6 }),
    );
    let found = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const line = pieces.join('');
        const first = patterns.findIndex((pattern) => pattern.test(line));
        if (first >= 0) found++;
        expect(set.first(line)).toBe(first);
      }),
      { numRuns: 3_000 },
    );
    expect(found).toBeGreaterThan(1_000);
  });
});
