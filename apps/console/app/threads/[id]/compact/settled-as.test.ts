import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { settledAs } from './settled-as';

type Compaction = Schemas['ThreadCompaction'];

const thread = (compaction: Partial<Compaction>) =>
  ({
    compaction: { state: 'idle', attempt: 0, generation: 1, covered_through: 8, ...compaction },
  }) as Schemas['Thread'];
const proposal = (generation: number) => ({ generation, state: 'proposed' }) as Compaction['prepared'];
const asked = { kind: 'compact', from: 1, proposed: null } as const;

test.each(['due', 'running', 'backoff', 'parked', 'idle'] as const)(
  'a newer generation ends a request whatever the thread does next: %s',
  (state) => {
    const end = settledAs(asked, thread({ state, generation: 2, covered_through: 12 }));
    expect(end).toEqual({
      good: true,
      text: 'Generation 2 is active and covers messages 1–12.',
      generation: 2,
    });
  },
);

test('a request that waits or runs has not ended, nor has one that a proposal waited before', () => {
  expect(settledAs(asked, thread({ state: 'due' }))).toBeNull();
  expect(settledAs(asked, thread({ state: 'running' }))).toBeNull();
  const before = { ...asked, proposed: 2 };
  expect(settledAs(before, thread({ state: 'due', prepared: proposal(2) }))).toBeNull();
});

test('a summary that is proposed after a request ends it', () => {
  const withdrawn = settledAs(
    { kind: 'quarantine', from: 2, proposed: null },
    thread({ state: 'due', generation: 0, prepared: proposal(3) }),
  );
  expect(withdrawn).toEqual({
    good: true,
    text: 'It is withdrawn. Generation 3 waits for an approval.',
    generation: 3,
  });
  expect(settledAs(asked, thread({ state: 'due', prepared: proposal(2) }))).toMatchObject({ good: false });
});

test('a request without a summary says why', () => {
  expect(settledAs(asked, thread({ state: 'parked', reason: 'auth' }))).toMatchObject({ good: false });
  expect(settledAs(asked, thread({}))?.text).toMatch(/^Nothing was compacted/);
  expect(settledAs({ ...asked, kind: 'quarantine' }, thread({ generation: 0 }))?.text).toMatch(
    /none is made now/,
  );
});
