import { expect, test } from 'vitest';
import { stateOf } from './model-health.js';

const now = Date.parse('2026-01-01T12:00:00Z');
const ago = (minutes: number) => new Date(now - minutes * 60_000);
const row = {
  lastOkAt: null,
  failures: 0,
  failingSince: null,
  lastFailureAt: null,
  lastError: null,
  reason: null,
  waiting: 0,
  nextTryAt: null,
  threads: [],
};

test('a model fails from its first failure on, as long as a thread waits or the failure is recent', () => {
  expect(stateOf({ ...row, failures: 1, lastFailureAt: ago(0) }, now)).toBe('failing');
  expect(stateOf({ ...row, failures: 1, lastFailureAt: ago(60), waiting: 1 }, now)).toBe('failing');
  expect(stateOf({ ...row, failures: 1, lastFailureAt: ago(60), lastOkAt: ago(90) }, now)).toBe('ok');
});

test('a model that was not asked is unknown, one that answered last is ok', () => {
  expect(stateOf(row, now)).toBe('unknown');
  expect(stateOf({ ...row, lastOkAt: ago(5), waiting: 2 }, now)).toBe('ok');
});
