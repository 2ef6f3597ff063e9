import { expect, test } from 'vitest';
import { groupErrors } from './group-errors';

const failed = (error: string | null, minute: number, reason = 'unavailable') => ({
  reason,
  error,
  started_at: `2026-01-01T12:${String(minute).padStart(2, '0')}:00.000Z`,
});

test('equal errors are one, with their count and the time of the last', () => {
  const groups = groupErrors([
    failed('401', 9, 'auth'),
    failed('500 overloaded', 7),
    failed(null, 6),
    failed('500 overloaded', 5),
    failed('500 overloaded', 3),
  ]);
  expect(groups).toEqual([
    { reason: 'unavailable', error: '500 overloaded', count: 3, lastAt: '2026-01-01T12:07:00.000Z' },
    { reason: 'auth', error: '401', count: 1, lastAt: '2026-01-01T12:09:00.000Z' },
  ]);
});
