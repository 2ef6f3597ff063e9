import { ownCopy } from './own-copy.js';

/** Maximum number of cached texts, and maximum length of each in characters. */
interface CacheSize {
  texts: number;
  chars: number;
}

/** Returns the same function with a cache, which is emptied when it is full. Longer texts are not cached. */
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

/** Caches what is computed of a sentence. Takes about half a megabyte. */
export const cachedBySentence = <Result>(of: (sentence: string) => Result) =>
  cachedByText(of, { texts: 1_000, chars: 400 });

/** Caches what is computed of a word: most words of a text were used before. Takes about a quarter of a megabyte. */
export const cachedByWord = <Result>(of: (word: string) => Result) =>
  cachedByText(of, { texts: 2_000, chars: 40 });
