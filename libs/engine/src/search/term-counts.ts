import type { SearchTerm, SearchTerms } from './search-terms.js';

/** One place of a term in a text. */
export interface Occurrence {
  at: number;
  length: number;
  /** 1 where the term stands for itself, less for another form of a word or a part of a longer one. */
  quality: number;
}

/** How often a text holds each term of a search. */
export interface TermCounts {
  /** Where the term stands for itself. */
  exact: number[];
  /** Other forms and parts of longer words, each by its quality. */
  partial: number[];
  /** Sets of terms, as bits, that the text holds within 2,000 characters; identifiers where they stand for themselves. */
  together: number[];
}

/** More occurrences of one term say nothing new. */
const maxOccurrences = 50;
const formQuality = 0.8;
const partQuality = 0.25;

export function countTerms(lower: string, { terms }: SearchTerms): TermCounts {
  const counts: TermCounts = { exact: [], partial: [], together: [] };
  const places: { at: number; term: number }[] = [];
  terms.forEach((term, i) => {
    let exact = 0;
    let partial = 0;
    for (const { at, quality } of occurrencesOf(lower, term, maxOccurrences)) {
      if (quality === 1) exact++;
      else partial += quality;
      if (quality === 1 || term.kind !== 'identifier') places.push({ at, term: i });
    }
    counts.exact.push(exact);
    counts.partial.push(partial);
  });
  counts.together = termsTogether(places);
  return counts;
}

/** Terms that stand within this many characters of each other are together. */
const nearby = 2_000;
/** Sets of terms kept of one text. */
const maxSets = 8;

/** The largest sets of terms that are together, as bits. */
function termsTogether(places: { at: number; term: number }[]): number[] {
  places.sort((a, b) => a.at - b.at);
  let sets: number[] = [];
  let end = 0;
  const inside = new Map<number, number>();
  for (const { at, term: first } of places) {
    for (; end < places.length && places[end]!.at - at <= nearby; end++) {
      const { term } = places[end]!;
      inside.set(term, (inside.get(term) ?? 0) + 1);
    }
    let set = 0;
    for (const term of inside.keys()) set |= 1 << term;
    if (!sets.some((other) => (set & ~other) === 0))
      sets = [...sets.filter((other) => (other & ~set) !== 0), set].slice(-maxSets);
    const left = inside.get(first)! - 1;
    if (left === 0) inside.delete(first);
    else inside.set(first, left);
  }
  return sets;
}

/** A text beside a short other one: what that holds is together with everything. */
export const addCounts = (a: TermCounts, b: TermCounts): TermCounts => ({
  exact: a.exact.map((n, i) => n + b.exact[i]!),
  partial: a.partial.map((n, i) => n + b.partial[i]!),
  together: (a.together.length > 0 ? a.together : [0]).map((set) => set | (b.together[0] ?? 0)),
});

/** In lower case, with every character where it was: few have a lower case of another length. */
export function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  });
}

export const isInNone = ({ exact, partial }: TermCounts): boolean =>
  exact.every((n) => n === 0) && partial.every((n) => n === 0);

/** Where a lower-case text holds a term, from its start. */
export function occurrencesOf(lower: string, term: SearchTerm, max: number): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = lower.indexOf(term.stem); at >= 0 && found.length < max;) {
    const occurrence = occurrenceAt(lower, term, at);
    if (occurrence) found.push(occurrence);
    at = lower.indexOf(term.stem, at + term.stem.length);
  }
  return found;
}

function occurrenceAt(lower: string, { text, kind, stem }: SearchTerm, at: number): Occurrence | null {
  const isWhole = stem === text || lower.startsWith(text, at);
  const length = isWhole ? text.length : stem.length;
  if (isWhole && (kind === 'phrase' || standsForItself(lower, at, length, kind)))
    return { at, length, quality: 1 };
  if (kind === 'word' && !isLetterOrDigit(lower, at - 1)) {
    const end = endOfWord(lower, at + stem.length);
    if (isEnding.test(lower.slice(at + stem.length, end)))
      return { at, length: end - at, quality: formQuality };
  }
  return isWhole ? { at, length, quality: partQuality } : null;
}

/** Endings of English words, and short ones of any language. A consonant may stand twice before them. */
const isEnding = /^(?:[bdgmnprt]?(?:e[drs]?|ers|ings?|s|y|ie[sd]|ions?|ive|ly)|\P{ASCII}{1,3})?$/u;
const maxEnding = 5;

function endOfWord(lower: string, from: number): number {
  let end = from;
  while (end - from <= maxEnding && isLetterOrDigit(lower, end)) end++;
  return end;
}

/** Whether a text holds a value as a word of its own, so that `T12` is not held by `T123`. */
export function holdsBounded(lower: string, value: string): boolean {
  for (let at = lower.indexOf(value); at >= 0; at = lower.indexOf(value, at + 1))
    if (standsForItself(lower, at, value.length, 'identifier')) return true;
  return false;
}

/** Words are bounded by anything but letters and digits; identifiers by `_` neither, and numbers by no decimals. */
function standsForItself(lower: string, at: number, length: number, kind: SearchTerm['kind']): boolean {
  const end = at + length;
  const isPart = kind === 'identifier' ? isWordCharacter : isLetterOrDigit;
  if (isPart(lower, at - 1) && isPart(lower, at)) return false;
  if (isPart(lower, end) && isPart(lower, end - 1)) return false;
  if (kind !== 'identifier') return true;
  const continuesBefore = isDigit(lower, at) && isPoint(lower, at - 1) && isDigit(lower, at - 2);
  const continuesAfter = isDigit(lower, end - 1) && isPoint(lower, end) && isDigit(lower, end + 1);
  return !continuesBefore && !continuesAfter;
}

const isPoint = (text: string, at: number): boolean => text[at] === '.' || text[at] === ',';

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

const isWordCharacter = (text: string, at: number): boolean => text[at] === '_' || isLetterOrDigit(text, at);

/** False outside of the text. */
function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  // Scripts without spaces between words have no bounds to look for.
  return (
    code >= 128 &&
    /\p{L}|\p{N}/u.test(text[at]!) &&
    !/[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/.test(text[at]!)
  );
}
