import { ownCopy } from '../../messages/own-copy.js';

/** Words that are remembered, and the longest: at most about a megabyte for each function. */
const maxWords = 5_000;
const maxLength = 24;

/** The same function of a word, which remembers its answers: people say few words, and say them often. */
export function byWord<T>(of: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const value = of(word);
    if (word.length > maxLength) return value;
    if (known.size >= maxWords) known.clear();
    known.set(ownCopy(word), value);
    return value;
  };
}
