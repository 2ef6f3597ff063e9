import { ownCopy } from './own-copy.js';

/** How many texts are kept with their results, and of how many characters at most. */
interface CacheSize {
  texts: number;
  chars: number;
}

/** The same function, which computes its result for a text once, until there are more texts than it keeps. */
function cachedByText<Result>(of: (text: string) => Result, { texts, chars }: CacheSize) {
  const known = new Map<string, Result>();
  return (text: string): Result => {
    if (text.length > chars) return of(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    // The result may keep the text.
    const own = ownCopy(text);
    const result = of(own);
    if (known.size >= texts) known.clear();
    known.set(own, result);
    return result;
  };
}

/** For what is computed of a sentence. Takes about half a megabyte. */
export const cachedBySentence = <Result>(of: (sentence: string) => Result) =>
  cachedByText(of, { texts: 1_000, chars: 400 });

/** For what is computed of a word: a text has few that were not used before. Takes about a quarter of a megabyte. */
export const cachedByWord = <Result>(of: (word: string) => Result) =>
  cachedByText(of, { texts: 2_000, chars: 40 });
