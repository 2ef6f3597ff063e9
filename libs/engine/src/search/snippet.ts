import type { SearchTerms } from './search-terms.js';

/** Characters shown on each side of a match. */
const around = 140;

/** The best match in a text, on one line, with a marker at each end that was cut. */
export function snippetOf(text: string, terms: SearchTerms): string {
  const { at, length } = matchOf(text, terms);
  const from = Math.max(0, at - around);
  const to = Math.min(text.length, at + length + around);
  const cut = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '... ' : ''}${cut}${to < text.length ? ' ...' : ''}`;
}

/** The position of the whole query, or else of the part that is closest to another part. */
function matchOf(text: string, { whole, parts }: SearchTerms): { at: number; length: number } {
  const lower = text.toLowerCase();
  const at = lower.indexOf(whole);
  if (at >= 0) return { at, length: whole.length };
  const matches = parts
    .map((part) => ({ at: lower.indexOf(part), length: part.length }))
    .filter((match) => match.at >= 0)
    .sort((a, b) => b.length - a.length);
  return matches[0] ?? { at: 0, length: 0 };
}
