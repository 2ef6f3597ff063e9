import { expect, test } from 'vitest';
import { compare } from './baseline.js';
import type { BenchResult, Guarded } from './bench.js';

const measured = (guarded: Record<string, Guarded>): BenchResult[] => [
  {
    name: 'speed',
    about: '',
    complaints: [],
    rows: [{ what: 'POST', value: '', against: '', target: '', reached: null, guarded }],
  },
];
const baseline = { 'speed: POST: ratio': 0.5, 'speed: POST: MB': 200, 'other: row: number': 1 };

test('a number may be worse than the baseline by its share, and no more', () => {
  const of = (ratio: number, mb: number) =>
    compare(
      measured({
        ratio: { value: ratio, better: 'more', within: 0.1 },
        MB: { value: mb, better: 'less', within: 0.1 },
      }),
      baseline,
    );
  expect(of(0.46, 219)).toEqual({ worse: [], notCompared: [] });
  expect(of(2, 10)).toEqual({ worse: [], notCompared: [] });
  expect(of(0.44, 221).worse).toEqual([
    'speed: POST: ratio is 0.44, was 0.5; it may be worse by 10 %',
    'speed: POST: MB is 221, was 200; it may be worse by 10 %',
  ]);
});

test('says which numbers stand on one side only, and nothing of benches that did not run', () => {
  const fresh: Guarded = { value: 1, better: 'more', within: 0 };
  expect(compare(measured({ ratio: { ...fresh }, new: fresh }), baseline).notCompared).toEqual([
    'speed: POST: new is not in the baseline',
    'speed: POST: MB was not measured',
  ]);
});

test('two rows of one name are refused: one would be compared with the other', () => {
  const [result] = measured({ ratio: { value: 1, better: 'more', within: 0 } });
  const twice = { ...result!, rows: [...result!.rows, ...result!.rows] };
  expect(() => compare([twice], baseline)).toThrow('Two rows are called "speed: POST: ratio".');
});
