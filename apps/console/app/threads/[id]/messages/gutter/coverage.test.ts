import { expect, test } from 'vitest';
import { coverageOf } from './coverage';

type Range = Parameters<typeof coverageOf>[0][number];

/** Generations of ten messages each, newest first as the API lists them, of which the newest is active. */
const listed = (from: number, to: number): Range[] =>
  Array.from({ length: to - from + 1 }, (_, i) => {
    const generation = to - i;
    const range = { generation, from_seq: 10 * generation - 9, to_seq: 10 * generation };
    return { ...range, chain: 1, active: i === 0 } as Range;
  });

test('each message is covered by the generation whose range holds it, and later ones by none', () => {
  const { of } = coverageOf(listed(1, 3));
  expect([1, 10, 11, 30, 31].map((seq) => of(seq)?.generation)).toEqual([1, 1, 2, 3, undefined]);
});

test('a message before the first generation of a list that was cut is attributed to none', () => {
  const { of } = coverageOf(listed(5, 1_004));
  expect([1, 40, 41, 10_040].map((seq) => of(seq)?.generation)).toEqual([undefined, undefined, 5, 1_004]);
});
