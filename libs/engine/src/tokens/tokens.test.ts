import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as cl100k from '../generated/cl100k.js';
import * as o200k from '../generated/o200k.js';
import { clipHead, clipTail } from './clip.js';
import { loadCounter, type CountTokens } from './counter.js';
import { cutLongRuns, mayHoldLongRun } from './long-runs.js';
import { slicesForCounting } from './slices.js';
import { threadMs } from '../../../../test/thread-time.js';

// The same cases each time; SPILLWAY_SEED selects others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});

test('counts as the encoding does on ordinary text', () => {
  expect(count('Hello, world!')).toBe(4);
  expect(count('')).toBe(0);
  expect(count('漢字仮名交じり文')).toBe(9);
});

test('special-token text is counted as the text it is', () => {
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
});

test.each([
  ['a letter', 'a'],
  ['spaces', ' '],
  ['new lines', '\n'],
  ['CJK', '漢字'],
  ['emoji', '👩‍👩‍👧'],
  ['a lone surrogate', '\ud800'],
  ['combining marks', '\u0301'],
  ['special tokens', '<|endoftext|>'],
  ['underscores', '_'],
  ['lines of a frame between signs', '─!'],
  ['emoji between signs', '😀?'],
  ['lines of one slash', '/\n'],
  ['lines of one slash of Windows', '/\r\n'],
  ['accents between slashes', '/\u0301\n'],
  ['lone surrogates between signs', '\ud83d!'],
  ['accents between letters', 'é\u0301z'],
])('300 KB of %s is counted in bounded time', (_what, unit) => {
  const text = unit.repeat(Math.ceil(300_000 / unit.length));
  const started = threadMs();
  expect(count(text)).toBeGreaterThan(0);
  expect(threadMs() - started).toBeLessThan(2_000);
});

const words = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\n', '\n\n', ' ', '  ', 'word', 'x = 1;', '/path', '12345'),
  ),
  { maxLength: 300 },
);

test('pieces of long runs are the text, and each run in them is bounded', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('a', ' ', '漢', '😀', '-', '1'),
      fc.integer({ min: 0, max: 3_000 }),
      words,
      (unit, n, rest) => {
        const text = `${rest.join('')}${unit.repeat(n)}${rest.join(' ')}`;
        expect([...cutLongRuns(text)].join('')).toBe(text);
        if (n > 300 && unit !== '1') expect(mayHoldLongRun(text)).toBe(true);
      },
    ),
  );
});

test('no text without long runs has a long piece, whichever characters follow each other', () => {
  const units = [
    '/',
    '\n',
    '\r',
    ' ',
    '\t',
    '!',
    "'",
    'a',
    'A',
    '\u0301',
    '漢',
    '─',
    '😀',
    '\u00a0',
    '\ud800',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 4 }), (some) => {
      const text = some.join('').repeat(500);
      const pieces = mayHoldLongRun(text) ? [...cutLongRuns(text)] : [text];
      for (const split of [o200k.split, cl100k.split])
        for (const piece of pieces)
          for (const [found] of piece.matchAll(new RegExp(split.source, 'gu')))
            expect(found.length).toBeLessThan(600);
    }),
    { numRuns: 300 },
  );
});

test('slices add up to the count of the whole', () => {
  fc.assert(
    fc.property(words, (some) => {
      const line = `const value = ${some.join(' ').replaceAll('\n', ' ')};`;
      const text = Array.from({ length: 60 }, (_, i) => `line${i} ${line}`).join('\n');
      const slices = [...slicesForCounting(text, 500)];
      expect(slices.join('')).toBe(text);
      expect(slices.reduce((sum, slice) => sum + count(slice), 0)).toBe(count(text));
    }),
    { numRuns: 50 },
  );
});

describe('clipping', () => {
  test('keeps within the tokens asked for and never splits a character', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 50 }), (some, tokens) => {
        const text = some.join('');
        for (const part of [clipHead(text, tokens, count), clipTail(text, tokens, count)]) {
          expect(count(part)).toBeLessThanOrEqual(tokens);
          if (text.isWellFormed()) expect(part.isWellFormed()).toBe(true);
        }
        expect(text.startsWith(clipHead(text, tokens, count))).toBe(true);
        expect(text.endsWith(clipTail(text, tokens, count))).toBe(true);
      }),
    );
  });

  test('gives the whole text when it fits', () => {
    expect(clipHead('one two three', 10, count)).toBe('one two three');
  });
});

test('texts that were counted are not kept', async () => {
  const count = await loadCounter('o200k');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heldMb = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  // Long words, whose counts are kept: the large text takes little time.
  const padding = `${'andsoon'.repeat(30)} `.repeat(500);
  const before = heldMb();
  // 30 MB, each text with a long word of its own, which a cache of words would hold as a slice of it.
  for (let i = 0; i < 300; i++)
    count(`${padding}${i} ${BigInt(i + 10) ** 20n}`.replace(/\d/g, (n) => 'qwertyuiop'[+n]!));
  expect(heldMb() - before).toBeLessThan(10);
});
