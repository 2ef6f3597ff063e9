import fc from 'fast-check';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import * as ownCl100k from '../generated/cl100k.js';
import * as ownO200k from '../generated/o200k.js';
import { bytePairCounter } from './byte-pairs.js';
import { countByPieces } from './pieces.js';

// The same cases each time; SPILLWAY_SEED selects others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** Texts in which one piece begins where another might go on: contractions, spaces before words, ends of lines. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        ...["'s", "'S", "'ll", "I'm", "don't", "'", 'CamelCase', 'HTTPServer', 'ß', 'ΑΒΓ', 'é', '漢字', '👩‍👩‍👧'],
        ...[
          ' ',
          '  ',
          '\t',
          '\n',
          '\r\n',
          ' \n ',
          '\n\n  ',
          '\u00a0',
          '\u2003',
          '\ud800',
          '\udc00',
          '\u0301',
        ],
        ...[
          '1',
          '1234567',
          '½',
          'a1b2',
          '//',
          '/*\n',
          '...',
          '<|endoftext|>',
          '<|im_start|>',
          'antidisestablishmentarian',
        ],
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

test.each([
  ['o200k', o200k, ownO200k],
  ['cl100k', cl100k, ownCl100k],
])('counts of pieces add up to what %s counts', (_name, encoding, { table, split }) => {
  const whole = (text: string) => encoding.countTokens(text, asPlainText);
  const count = countByPieces(bytePairCounter(table), split);
  fc.assert(
    // Counted twice: the second time from what was kept.
    fc.property(texts, (text) => {
      const expected = whole(text);
      expect([count(text), count(text)]).toEqual([expected, expected]);
    }),
    { numRuns: 2_000 },
  );
});

test('counts stay right when more pieces come than are kept', () => {
  const whole = (text: string) => o200k.countTokens(text, asPlainText);
  const count = countByPieces(bytePairCounter(ownO200k.table), ownO200k.split);
  for (let n = 0; n < 45; n++) {
    const text = Array.from({ length: 500 }, (_, i) => `word${(n * 500 + i).toString(36)}`).join(' ');
    const letters = text.replace(/\d/g, (digit) => 'qwertyuiop'[Number(digit)]!);
    expect(count(letters)).toBe(whole(letters));
  }
  const known = 'The quick brown fox jumps over the lazy dog.';
  expect(count(known)).toBe(whole(known));
});

test('a text that no alternative of the split matches is counted as a whole', () => {
  const count = countByPieces((text) => text.length, /[a-z]+/gu);
  expect(count('abc123def')).toBe(9);
});
