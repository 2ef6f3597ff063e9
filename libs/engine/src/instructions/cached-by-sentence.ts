import { ownCopy } from '../messages/own-copy.js';

/** Sentences that are kept, and characters of one: with their results about half a megabyte. */
const maxSentences = 1_000;
const maxChars = 400;

/**
 * The same function, which computes its result for a sentence once. A sentence takes about 0.1 ms to judge, and the same
 * ones come again: every fold, preview and list of instructions reads the newest messages, and many agents repeat a
 * reminder with each message.
 */
export function cachedBySentence<Result>(of: (sentence: string) => Result): (sentence: string) => Result {
  const known = new Map<string, Result>();
  return (sentence) => {
    if (sentence.length > maxChars) return of(sentence);
    const before = known.get(sentence);
    if (before !== undefined) return before;
    const result = of(sentence);
    if (known.size >= maxSentences) known.clear();
    known.set(ownCopy(sentence), result);
    return result;
  };
}
