import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { refetchFailed } from './refetch-failed';

/** A query on the page whose reads end when the test says so. */
function heldQuery(queries: QueryClient, name: string) {
  const reads: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: [name],
    queryFn: () => new Promise<string>((answer, fail) => reads.push({ answer, fail })),
    retry: false,
  });
  const leave = observer.subscribe(() => undefined);
  onTestFinished(leave);
  return { reads, leave, now: () => observer.getCurrentResult() };
}

test('a query that failed during an outage is read again after it, one that did not is not', async () => {
  const queries = new QueryClient();
  const failed = heldQuery(queries, 'failed');
  const read = heldQuery(queries, 'read');
  const left = heldQuery(queries, 'left');
  failed.reads[0]!.fail(new Error('down'));
  left.reads[0]!.fail(new Error('down'));
  read.reads[0]!.answer('up');
  await expect
    .poll(() => [failed, left, read].map((one) => one.now().status))
    .toEqual(['error', 'error', 'success']);
  left.leave();
  refetchFailed(queries);
  expect([failed, read, left].map(({ reads }) => reads.length)).toEqual([2, 1, 1]);
  failed.reads[1]!.answer('up again');
  await expect.poll(() => failed.now().data).toBe('up again');
  refetchFailed(queries);
  expect(failed.reads.length).toBe(2);
});

test('a read that began during an outage and fails after it is repeated once', async () => {
  const queries = new QueryClient();
  const late = heldQuery(queries, 'late');
  const fine = heldQuery(queries, 'fine');
  refetchFailed(queries);
  fine.reads[0]!.answer('up');
  late.reads[0]!.fail(new Error('down'));
  await expect.poll(() => late.reads.length).toBe(2);
  late.reads[1]!.fail(new Error('still down'));
  await expect.poll(() => late.now().isError).toBe(true);
  expect([late.reads.length, fine.reads.length]).toEqual([2, 1]);
});
