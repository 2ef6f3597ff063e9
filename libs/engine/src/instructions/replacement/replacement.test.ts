import { expect, test } from 'vitest';
import { threadMs } from '../../../../../test/thread-time.js';
import { gistOf } from './gist.js';
import { pairCues } from './pair-cues.js';
import { replacementScore } from './score.js';
import { valuesIn } from './values.js';

test.each([
  ['Send it at 8 am or 18:30.', { clock: ['8am', '18:30'] }],
  ['At most 1,200 euros, and $50 for taxis.', { money: ['1200euros', '$50'] }],
  ['Keep logs for two weeks and 90 days.', { measure: ['2 week', '90 day'] }],
  ['Post in #releases, save to s3://backups/eu.', { place: ['#releases', 's3://backups/eu'] }],
  ['Pin it at v2.4 in my_project.', { code: ['v2.4', 'my_project'] }],
  ['Copy Anna Berg, on Fridays only.', { name: ['annaberg'] }],
  ['Sign as "The Team".', { quoted: ['"theteam"'] }],
])('the values of %j', (text, values) => {
  expect(Object.fromEntries([...valuesIn(text)].map(([kind, found]) => [kind, [...found]]))).toEqual(values);
});

const cuesOf = (older: string, newer: string) => [...pairCues(gistOf(older), gistOf(newer))];

test('a pair is seen by what both are about and by what differs', () => {
  expect(cuesOf('Send the digest at 8 am.', 'The digest goes out at 6 pm.')).toEqual(
    expect.arrayContaining(['shared:1', 'clock:differ', 'signs:00']),
  );
  // One choice excludes the other.
  expect(cuesOf('Export it as CSV.', 'Export it as Parquet.')).toContain('loose:choices-named:1');
  expect(cuesOf('Export it as CSV.', 'Export it as CSV files.')).toContain('choices-named:0');
  // Two measures of different units are not two values of the same.
  expect(cuesOf('Wait 30 seconds.', 'Wait for 3 pods.')).toContain('measure:other-unit');
});

test.each([
  ['of two that have nothing in common', 'Answer in German.', 'Water the roses.'],
  [
    'of a long sentence',
    'Send the digest at 8 am.',
    `Send the digest at 6 pm ${'and the other things that we talked about '.repeat(3)}`,
  ],
])('there is no score %s', (_, older, newer) => {
  expect(replacementScore(gistOf(older), gistOf(newer))).toBe(-Infinity);
});

test('a new value of the same scores higher than a value of something else', () => {
  const score = (older: string, newer: string) => replacementScore(gistOf(older), gistOf(newer));
  const older = 'Keep functions under 40 lines.';
  expect(score(older, 'Functions may have 60 lines.')).toBeGreaterThan(
    score(older, 'Keep a changelog of 10 entries.'),
  );
});

test('takes no longer for a long text of one kind', () => {
  for (const text of [
    'a-'.repeat(2_000),
    '1'.repeat(4_000),
    'a.'.repeat(2_000),
    "'a".repeat(2_000),
    'one '.repeat(1_000),
  ]) {
    const started = threadMs();
    gistOf(text);
    expect(threadMs() - started).toBeLessThan(500);
  }
});
