import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestMatches } from './longest-matches.js';

/** Finds the longest match of each piece by trying every place, as the definition says. */
function tried(history: readonly string[], recorded: readonly string[]) {
  return recorded.map((_, i) => {
    let best = { same: 0, known: 0 };
    for (let known = 1; known <= history.length; known++) {
      let same = 0;
      while (same < Math.min(known, i + 1) && history[known - 1 - same] === recorded[i - same]) same++;
      if (same > best.same) best = { same, known };
    }
    return best;
  });
}

test('the longest match of each piece is found, the first of several', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
  fc.assert(
    fc.property(words, words, (history, recorded) => {
      expect(longestMatches(history, recorded)).toEqual(tried(history, recorded));
    }),
  );
});
