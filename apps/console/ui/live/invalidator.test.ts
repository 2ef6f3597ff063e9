import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { invalidator } from './invalidator';

/** A query whose reads end when the test says so. */
function heldQuery() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const queries = new QueryClient();
  const reads: { answer: (value: string) => void; signal: AbortSignal }[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['thread', 'one'],
    queryFn: ({ signal }) => new Promise<string>((answer) => reads.push({ answer, signal })),
  });
  const stale = invalidator(queries);
  onTestFinished(observer.subscribe(() => undefined));
  onTestFinished(() => stale.stop());
  return {
    reads,
    shown: () => observer.getCurrentResult().data,
    /** An event of the thread. Resolves when it was acted upon. */
    happen: async () => {
      stale.take({ type: 'thread.changed', thread_id: 'one', data: {} } as Parameters<typeof stale.take>[0]);
      await vi.advanceTimersByTimeAsync(300);
    },
  };
}

test('an event during the first read of a query has it read again when that read ends', async () => {
  const { reads, shown, happen } = heldQuery();
  await happen();
  await happen();
  expect(reads.length).toBe(1);
  reads[0]!.answer('before the events');
  await vi.waitFor(() => expect(reads.length).toBe(2));
  reads[1]!.answer('after the events');
  await vi.waitFor(() => expect(shown()).toBe('after the events'));
  await happen();
  expect(reads.length).toBe(3);
});

test('events that come faster than a read ends do not cancel it, and one more read follows', async () => {
  const { reads, shown, happen } = heldQuery();
  reads[0]!.answer('at first');
  await vi.waitFor(() => expect(shown()).toBe('at first'));
  for (let i = 0; i < 3; i++) await happen();
  expect(reads.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  reads[1]!.answer('during the burst');
  await vi.waitFor(() => expect(shown()).toBe('during the burst'));
  await vi.waitFor(() => expect(reads.length).toBe(3));
  reads[2]!.answer('after it');
  await vi.waitFor(() => expect(shown()).toBe('after it'));
});
