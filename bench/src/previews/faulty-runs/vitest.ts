import { files, type FaultyRun } from './faulty-run.js';

const suites = 24;

const suite = (i: number, bad: number, body: string): string =>
  [
    `import { expect, test } from 'vitest';`,
    ...Array.from({ length: 8 }, (_, n) =>
      i === bad && n === 5
        ? body
        : `test('cart ${i} holds item ${n}', () => { console.log('cart ${i} item ${n}'); expect(${n} + ${i}).toBe(${n + i}); });`,
    ),
  ].join('\n');

const run = (reporter: string, fault: 'expect' | 'throw'): FaultyRun => ({
  name: `vitest, ${reporter} reporter, ${fault}`,
  make: (random) => {
    const bad = random(suites);
    const name = `cart ${bad} refuses coupon ${random(900)}`;
    const body =
      fault === 'expect'
        ? `test('${name}', () => expect({ total: ${bad} }).toEqual({ total: 4242 }));`
        : `test('${name}', () => { throw new TypeError('coupon of cart ${bad} has no value'); });`;
    const cause = fault === 'expect' ? [name, '4242'] : [name, `coupon of cart ${bad} has no value`];
    return {
      files: {
        'vitest.config.mjs': 'export default { test: { maxWorkers: 2, cache: false } };',
        ...files(
          suites,
          (i) => `test/s${i}.test.mjs`,
          (i) => suite(i, bad, body),
        ),
      },
      command: 'vitest',
      args: ['run', '--pool=threads', '--no-isolate', `--reporter=${reporter}`],
      cause,
    };
  },
});

export const vitestRuns: FaultyRun[] = [
  run('default', 'throw'),
  run('verbose', 'expect'),
  run('tap', 'expect'),
  run('tap-flat', 'throw'),
];
