import { bytePairCounter } from './byte-pairs.js';
import { cutLongRuns, mayHoldLongRun } from './long-runs.js';
import { countByPieces } from './pieces.js';

/** Tokens of a text. Never throws, and takes linear time for every text. */
export type CountTokens = (text: string) => number;

export type CounterName = 'o200k' | 'cl100k' | 'estimate';

const bounded =
  (count: CountTokens): CountTokens =>
  (text) => {
    if (!mayHoldLongRun(text)) return count(text);
    let total = 0;
    for (const piece of cutLongRuns(text)) total += count(piece);
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
    counter = loadEncoding(name);
    loaded.set(name, counter);
  }
  return counter;
}

/** Special-token text such as <|endoftext|> is counted as plain text. */
async function loadEncoding(name: 'o200k' | 'cl100k'): Promise<CountTokens> {
  const { table, split } = await (name === 'o200k'
    ? import('../generated/o200k.js')
    : import('../generated/cl100k.js'));
  return bounded(countByPieces(bytePairCounter(table), split));
}
