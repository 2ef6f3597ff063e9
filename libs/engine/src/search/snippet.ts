import { afterWholeCharacter } from '../tokens/whole-characters.js';
import type { SearchTerms } from './search-terms.js';
import { lowerCaseOf, occurrencesOf, type Occurrence } from './term-counts.js';

/** Characters shown on each side of a match. */
const around = 140;

/** The best match in a text, on one line, with a marker at each end that was cut. */
export function snippetOf(text: string, terms: SearchTerms, weights: readonly number[]): string {
  const { at, length } = matchOf(lowerCaseOf(text), terms, weights);
  const from = afterWholeCharacter(text, Math.max(0, at - around));
  const to = afterWholeCharacter(text, Math.min(text.length, at + length + around));
  const cut = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '... ' : ''}${cut}${to < text.length ? ' ...' : ''}`;
}

/** Where to look for the match with the most other terms around it. */
const maxOccurrences = 12;

/** The position of the whole query, or else of the term with the heaviest others around it. */
function matchOf(
  lower: string,
  { whole, terms }: SearchTerms,
  weights: readonly number[],
): Pick<Occurrence, 'at' | 'length'> {
  const at = lower.indexOf(whole);
  if (at >= 0) return { at, length: Math.min(whole.length, around) };
  const found = terms.flatMap((term, i) =>
    occurrencesOf(lower, term, maxOccurrences).map((one) => ({ ...one, term: i })),
  );
  let best = { at: 0, length: 0 };
  let most = -1;
  for (const one of found) {
    const near = new Set<number>();
    let worth = one.quality * weights[one.term]!;
    for (const other of found)
      if (other.term !== one.term && !near.has(other.term) && Math.abs(other.at - one.at) < around) {
        near.add(other.term);
        worth += other.quality * weights[other.term]!;
      }
    if (worth > most) [best, most] = [one, worth];
  }
  return best;
}
