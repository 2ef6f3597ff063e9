import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { groupUnits, type Entry } from '../index.js';

const entry = (role: Entry['role'], of: Partial<Entry> = {}): Entry => ({
  seq: 0,
  role,
  tokens: 100,
  pinned: false,
  calls: [],
  answers: [],
  images: 0,
  item: false,
  ...of,
});
const each = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const n = 40_000;
const call = (i: number, item = false): Entry => entry('assistant', { calls: [`c${i}`], item });
const result = (i: number): Entry => entry('tool', { answers: [`c${i}`] });

test.each<[string, number, () => Entry[]]>([
  ['items of one step', 1, () => each(n, () => entry('assistant', { item: true }))],
  ['calls of one step, unanswered', 1, () => each(n, (i) => call(i, true))],
  ['calls of one step and their results', 1, () => [...each(n, (i) => call(i, true)), ...each(n, result)]],
  [
    'calls of one message whose results come last to first',
    1,
    () => [entry('assistant', { calls: each(n, (i) => `c${i}`) }), ...each(n, (i) => result(n - 1 - i))],
  ],
  [
    'calls with one id',
    1,
    () => [
      entry('assistant', { calls: each(n, () => 'c') }),
      ...each(n, () => entry('tool', { answers: ['c'] })),
    ],
  ],
  [
    'a user who speaks before each result',
    1,
    () => [
      entry('assistant', { calls: each(n, (i) => `c${i}`) }),
      ...each(n, (i) => [entry('user'), result(i)]).flat(),
    ],
  ],
  [
    'agents that always call before the other gets its result',
    1,
    () => [call(0), ...each(n, (i) => [call(i + 1), result(i)]).flat()],
  ],
  [
    'calls that the provider runs, each ended where the next begins',
    1,
    () => each(n, (i) => entry('assistant', { runs: [`p${i}`], ran: [`p${i - 1}`] })),
  ],
  ['results without calls', n, () => each(n, result)],
])('are grouped in linear time: %s', (_what, units, make) => {
  const entries = make().map((one, i) => ({ ...one, seq: i + 1 }));
  let found = 0;
  expect(threadMsOf(() => (found = groupUnits(entries).length))).toBeLessThan(1_500);
  expect(found).toBe(units);
});

test.each([
  [63, 1],
  [64, 66],
])('a late result joins its call behind %d messages of the user: %d units', (users, units) => {
  const entries = [call(0), ...each(users, () => entry('user')), result(0)];
  expect(groupUnits(entries)).toHaveLength(units);
});
