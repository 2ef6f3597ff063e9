import { expect, test } from 'vitest';
import { takeTime, timeOf } from './message-time.js';

test.each<[unknown, string]>([
  ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.000Z'],
  ['2026-11-20T09:00:00.123456+00:00', '2026-11-20T09:00:00.123Z'],
  ['2026-11-20 10:00:00,5+0100', '2026-11-20T09:00:00.500Z'],
  ['2026-11-20T09:00z', '2026-11-20T09:00:00.000Z'],
  [1_795_165_200, '2026-11-20T09:00:00.000Z'],
  [1_795_165_200.25, '2026-11-20T09:00:00.250Z'],
  [1_795_165_200_250, '2026-11-20T09:00:00.250Z'],
])('%j is the time %s', (value, expected) => {
  expect(timeOf(value)).toBe(expected);
});

test.each([
  ...['2026-11-20T09:00:00', '2026-11-20', '20 November 2026', '1795165200', '2026-13-20T09:00:00Z', ''],
  ...['1969-12-31T23:59:59Z', 0, 7, -1_795_165_200, NaN, Infinity, 1e300, true, null, undefined, {}],
])('%j is no time', (value) => {
  expect(timeOf(value)).toBeNull();
});

test('the first time among the fields of a message is taken, and all of them leave it', () => {
  const message = { role: 'user', timestamp: 1_795_165_300, created_at: 1_795_165_200, create_time: null };
  expect(takeTime(message)).toEqual({ time: '2026-11-20T09:00:00.000Z', message: { role: 'user' } });
});

test('a field of such a name that holds something else stays', () => {
  const message = { role: 'user', timestamp: 3, createdAt: 'now' };
  expect(takeTime(message)).toEqual({ time: null, message });
});
