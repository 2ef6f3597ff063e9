import { cutLongRuns, mayHoldLongRun } from './long-runs.js';

/** Tokens of a text. Never throws, and takes linear time for every text. */
export type CountTokens = (text: string) => number;

export type CounterName = 'o200k' | 'cl100k' | 'estimate';

/** Special-token text such as <|endoftext|> is counted as plain text. */
const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

type Encoding = { countTokens: (text: string, options: typeof asPlainText) => number };

const bounded =
  (encoding: Encoding): CountTokens =>
  (text) => {
    if (!mayHoldLongRun(text)) return encoding.countTokens(text, asPlainText);
    let total = 0;
    for (const piece of cutLongRuns(text)) total += encoding.countTokens(piece, asPlainText);
    return total;
  };

const loaded = new Map<CounterName, Promise<CountTokens>>();

/**
 * A counter by its policy name. An encoding is a table of 200,000 rows, so it is loaded on first use. `estimate` is
 * Chronos's rule: characters divided by `charsPerToken` (4), rounded up.
 */
export function loadCounter(name: CounterName, charsPerToken = 4): Promise<CountTokens> {
  if (name === 'estimate') return Promise.resolve((text) => Math.ceil(text.length / charsPerToken));
  let counter = loaded.get(name);
  if (!counter) {
    counter = (
      name === 'o200k'
        ? import('gpt-tokenizer/encoding/o200k_base')
        : import('gpt-tokenizer/encoding/cl100k_base')
    ).then((encoding: Encoding) => bounded(encoding));
    loaded.set(name, counter);
  }
  return counter;
}
