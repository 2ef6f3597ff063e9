import { isStopWord } from './stop-words.js';

/** What a search looks for: the query as a whole, and its words, identifiers and quoted phrases. */
export interface SearchTerms {
  /** The whole query, lower-case. */
  whole: string;
  terms: SearchTerm[];
  /** Asked in a sentence. Its answer does not have to hold all of its words. */
  isQuestion: boolean;
}

export interface SearchTerm {
  /** Lower-case. */
  text: string;
  /**
   * An identifier (a path, an id, a number, a name in code) is found where it stands for itself: `T12` is not found by
   * `T123` unless nothing else is. A word is found in its other forms too. A phrase is found letter by letter.
   */
  kind: 'word' | 'identifier' | 'phrase';
  /** The start that all forms of a word share; the text of any other term. A text without it does not hold the term. */
  stem: string;
}

/** More terms than a question has. */
const maxTerms = 24;

/** Parses a query as people and models type it: words in any order, questions, "phrases", identifiers as they are. */
export function searchTerms(query: string): SearchTerms {
  const whole = query.trim();
  const written = [...whole.matchAll(/"([^"]+)"|(\S+)/g)].flatMap((match) => {
    if (match[1] !== undefined) return [phrase(match[1])];
    const bare = withoutPunctuation(match[2]!);
    return /\p{L}|\p{N}|\p{Extended_Pictographic}/u.test(bare) ? [termOf(bare)] : [];
  });
  const found = written.length > 0 ? written : [phrase(whole)];
  const telling = found.filter((term) => term.kind !== 'word' || !isStopWord(term.text));
  const terms = new Map((telling.length > 0 ? telling : found).map((term) => [term.text, term]));
  return {
    whole: whole.toLowerCase(),
    terms: [...terms.values()].filter(isFilled).slice(0, maxTerms),
    isQuestion: questionWord.test(whole) || (whole.endsWith('?') && /\s/.test(whole)),
  };
}

const questionWord =
  /(?:^|[\s,])(?:which|what|who|whom|whose|when|where|why|how)\s+\S.*\s\S|^(?:is|are|was|were|do|does|did|has|have|had|can|could|may|should)\s+\S+\s+\S+\s+\S/i;

const isFilled = ({ text }: SearchTerm): boolean => text !== '';

const phrase = (written: string): SearchTerm => {
  const text = written.trim().toLowerCase();
  return { text, kind: 'phrase', stem: text };
};

/** Without the punctuation of a sentence around a word. `./a.ts`, `@scope/name`, `100%` and `C++` keep theirs. */
const withoutPunctuation = (written: string): string =>
  written
    .replace(/^["'`([{<«„“‘]+/u, '')
    .replace(/["'`)\]}>»“”’.,;:?!]+$/u, '')
    .replace(/['’]s$/u, '');

function termOf(written: string): SearchTerm {
  const text = written.toLowerCase();
  if (isIdentifier(written)) return { text, kind: 'identifier', stem: text };
  return { text, kind: 'word', stem: stemOf(text) };
}

/** Holds a digit, a sign that prose does not have within a word, or a capital after a small letter. */
const isIdentifier = (written: string): boolean =>
  /\p{N}|[_/.:@#\\=$]/u.test(written) || /\p{Ll}\p{Lu}/u.test(written);

/** Endings of English words; what is left stays long enough to tell words apart. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const stem = word.replace(/(?:ies|ied|ings?|ed|es|s|y|e)$/, '').replace(/([bdgmnprt])\1$/, '$1');
  return stem.length >= 3 ? stem : word;
}
