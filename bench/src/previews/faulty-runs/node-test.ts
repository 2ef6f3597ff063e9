import { files, type FaultyRun } from './faulty-run.js';

const suites = 40;

const suite = (i: number, bad: number, body: string): string =>
  [
    `import test from 'node:test';`,
    `import assert from 'node:assert/strict';`,
    `const total = (list) => list.reduce((sum, n) => sum + n, 0);`,
    ...Array.from({ length: 6 }, (_, n) =>
      i === bad && n === 3
        ? body
        : `test('suite ${i} adds list ${n}', () => { console.log('adding list ${n} of ${i}'); assert.equal(total([${n}, ${i}]), ${n + i}); });`,
    ),
  ].join('\n');

const run = (reporter: string, fault: 'assert' | 'throw' | 'timeout'): FaultyRun => ({
  name: `node --test, ${reporter} reporter, ${fault}`,
  make: (random) => {
    const bad = random(suites);
    const name = `suite ${bad} handles case ${random(900)}`;
    const faults = {
      assert: {
        body: `test('${name}', () => assert.equal(total([1, ${bad}]), 7777));`,
        cause: [name, `${1 + bad} !== 7777`],
      },
      throw: {
        body: `test('${name}', () => { throw new RangeError('ledger ${bad} is out of balance'); });`,
        cause: [name, `ledger ${bad} is out of balance`],
      },
      timeout: {
        body: `test('${name}', { timeout: 40 }, () => new Promise((done) => setTimeout(done, 2000)));`,
        cause: [name, 'timed out after 40ms'],
      },
    };
    return {
      files: files(
        suites,
        (i) => `test/s${i}.test.mjs`,
        (i) => suite(i, bad, faults[fault].body),
      ),
      command: process.execPath,
      args: ['--test', '--test-concurrency=2', `--test-reporter=${reporter}`, 'test/**/*.test.mjs'],
      cause: faults[fault].cause,
    };
  },
});

export const nodeTestRuns: FaultyRun[] = [
  run('spec', 'assert'),
  run('spec', 'throw'),
  run('tap', 'assert'),
  run('tap', 'timeout'),
  run('dot', 'throw'),
];
