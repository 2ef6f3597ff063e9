import { cutLongRuns, mayHoldLongRun } from './long-runs.js';
import { countByPieces } from './pieces.js';

/** Tokens of a text. Never throws, and takes linear time for every text. */
export type CountTokens = (text: string) => number;

export type CounterName = 'o200k' | 'cl100k' | 'estimate';

/** Special-token text such as <|endoftext|> is counted as plain text. */
const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

interface Encoding {
  countTokens: (text: string, options: typeof asPlainText) => number;
  setMergeCacheSize: (entries: number) => void;
}

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

async function loadEncoding(name: 'o200k' | 'cl100k'): Promise<CountTokens> {
  const [encoding, { O200K_TOKEN_SPLIT_REGEX: o200k, CL100K_TOKEN_SPLIT_REGEX: cl100k }] = await Promise.all([
    (name === 'o200k'
      ? import('gpt-tokenizer/encoding/o200k_base')
      : import('gpt-tokenizer/encoding/cl100k_base')) as Promise<Encoding>,
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  // Its cache of words holds them as slices, and with each the whole text that it was cut from.
  encoding.setMergeCacheSize(0);
  const count: CountTokens = (text) => encoding.countTokens(text, asPlainText);
  return bounded(countByPieces(count, name === 'o200k' ? o200k : cl100k));
}
