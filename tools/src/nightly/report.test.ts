import { expect, test } from 'vitest';
import { reportOf } from './report.js';
import { stepsOf } from './steps.js';

const about = { commit: 'abc1234', seed: 7, startedAt: new Date('2026-11-22T03:00:00Z') };
const [tests, , faults] = stepsOf(7);

test('the report says what passed, what failed, and how to run it again', () => {
  const report = reportOf(
    [
      { step: tests!, ok: true, seconds: 600, output: 'Tests  40 passed (40)\n' },
      { step: faults!, ok: false, seconds: 90, output: ` FAIL  F9 fifty posts\n${'noise\n'.repeat(40)}` },
    ],
    about,
  );
  expect(report).toContain('Commit abc1234, seed 7. 1 of 2 passed.');
  expect(report).toContain('| tests with a fresh seed | passed | 10.0 |');
  expect(report).toContain('| faults, full | **failed** | 1.5 |');
  expect(report).toContain('FAIL  F9 fifty posts');
  expect(report).toContain('SPILLWAY_SEED=7 SPILLWAY_ABUSE_SEED=7 npm run test:faults');
});

test('of a step that passed only the end is shown', () => {
  const output = `FAIL is a word in a log\n${'noise\n'.repeat(40)}Tests  1 passed (1)\n`;
  const report = reportOf([{ step: tests!, ok: true, seconds: 1, output }], about);
  expect(report).toContain('Tests  1 passed (1)');
  expect(report).not.toContain('FAIL is a word');
});
