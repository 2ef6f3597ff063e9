import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { retryOutcome } from './retry-outcome';

const thread = (compaction: Partial<Schemas['ThreadCompaction']>) =>
  ({
    id: 't',
    compaction: { attempt: 0, generation: 0, covered_through: 0, ...compaction },
  }) as Schemas['Thread'];

test('a retry has no outcome until it has ended', () => {
  expect(retryOutcome(thread({ state: 'due' }))).toBeNull();
  expect(retryOutcome(thread({ state: 'running' }))).toBeNull();
});

test('a summary that waits for an approval is an outcome, one that a worker puts in place is not', () => {
  const prepared = { generation: 3, state: 'proposed' } as const;
  expect(retryOutcome(thread({ state: 'due', prepared }))).toEqual({
    good: true,
    title: 'A summary waits for an approval',
    text: 't: the model gets generation 3 once it is approved.',
    proposed: 3,
  });
  expect(retryOutcome(thread({ state: 'due', prepared: { generation: 3, state: 'prepared' } }))).toBeNull();
});

test('a thread that is parked again says so, with its numbers', () => {
  const detail = {
    fixed_tokens: 20_515,
    limit_tokens: 7_904,
    trigger_tokens: 7_000,
    serves_context: false,
    smallest_window: null,
  };
  const outcome = retryOutcome(thread({ state: 'parked', reason: 'irreducible', detail }));
  expect(outcome).toMatchObject({ good: false, title: 'Parked again' });
  expect(outcome!.text).toContain('20,515');
  expect(retryOutcome(thread({ state: 'idle' }))).toMatchObject({ good: true });
});
