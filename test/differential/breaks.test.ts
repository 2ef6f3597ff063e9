import type { Plain } from '@spillway/testing';
import { expect, test } from 'vitest';
import { breakOf, type Cut } from './breaks.js';

const entry = (role: Plain['role'], more: Partial<Plain> = {}): Plain => ({
  role,
  tokens: 10,
  calls: [],
  answers: null,
  ...more,
});
const live = [
  entry('user'),
  entry('assistant', { calls: ['a'] }),
  entry('tool', { answers: 'a' }),
  entry('assistant'),
  entry('user'),
  entry('assistant'),
];
const cut = (keepFrom: number | null, more: Partial<Cut> = {}): Cut => ({
  live,
  keepFrom,
  beside: 50,
  trigger: 100,
  turns: null,
  ...more,
});

test('a cut between a call and its result splits the pair, and one before or after it does not', () => {
  expect([1, 2, 3].map((keepFrom) => breakOf(cut(keepFrom, { trigger: 200 })))).toEqual([
    null,
    'splitsPair',
    null,
  ]);
});

test('a cut that takes nothing, keeps nothing or is not enough is no compaction', () => {
  expect(breakOf(cut(null))).toBe('neverCompacts');
  expect(breakOf(cut(0))).toBe('neverCompacts');
  expect(breakOf(cut(live.length))).toBe('keepsNothing');
  expect(breakOf(cut(1))).toBe('staysOverTrigger');
  expect(breakOf(cut(4, { beside: 79 }))).toBeNull();
  expect(breakOf(cut(4, { beside: 80 }))).toBe('staysOverTrigger');
  expect(breakOf(cut(4, { beside: 100 }))).toBe('summaryOverTrigger');
});

test('a setting of turns is held to user messages', () => {
  expect(breakOf(cut(4, { turns: 1 }))).toBeNull();
  expect(breakOf(cut(3, { turns: 1 }))).toBe('startsMidTurn');
  expect(breakOf(cut(4, { turns: 2 }))).toBe('keepsFewerTurns');
  expect(breakOf(cut(4, { turns: 3 }))).toBe('tooFewTurns');
  expect(breakOf(cut(3, { turns: 0 }))).toBe('keepsMoreTurns');
});
