import fc from 'fast-check';
import cl100kRanks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import o200kRanks from 'gpt-tokenizer/bpeRanks/o200k_base';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import * as ownCl100k from '../generated/cl100k.js';
import * as ownO200k from '../generated/o200k.js';
import { bytePairCounter } from './byte-pairs.js';

// The same cases each time; SPILLWAY_SEED selects others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

describe.each([
  ['o200k', o200k, o200kRanks, ownO200k],
  ['cl100k', cl100k, cl100kRanks, ownCl100k],
])('%s', (_name, encoding, ranks, { table, split }) => {
  const count = bytePairCounter(table);

  test('each token is one token', () => {
    const tokens = ranks.filter((token) => typeof token === 'string');
    expect(tokens.length).toBeGreaterThan(90_000);
    expect(tokens.filter((token) => count(token) !== 1)).toEqual([]);
  });

  test('words of all scripts and signs have the parts that the encoding makes of them', () => {
    const pieces = fc.oneof(
      fc.stringMatching(/^[a-z]{1,40}$/),
      fc.stringMatching(/^[\u0400-\u04ff]{1,20}$/u),
      fc.stringMatching(/^[\u4e00-\u9fff]{1,20}$/u),
      fc.stringMatching(/^[!-/:-@[-`{-~]{1,30}$/),
      fc.stringMatching(/^[\u2600-\u27bf\u{1f300}-\u{1faff}]{1,12}$/u),
      fc.string({
        unit: fc.constantFrom('\ufffd', '\u200d', '\u0301', '\u0e33'),
        minLength: 1,
        maxLength: 9,
      }),
    );
    const expected = (piece: string) =>
      encoding.encode(piece, { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() })
        .length;
    fc.assert(
      fc.property(pieces, (text) => {
        // What the encoding splits before it encodes is compared piece by piece: see pieces.test.ts for whole texts.
        const [piece] = split.exec(text)!;
        expect(count(piece)).toBe(expected(piece));
      }),
      { numRuns: 5_000 },
    );
  });
});

test('nothing is no token, and half of a character is the sign that stands for it', () => {
  const count = bytePairCounter(ownO200k.table);
  expect(count('')).toBe(0);
  expect(count('\ud800 \udfff')).toBe(count('\ufffd \ufffd'));
});
