import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refetchStale } from './refetch-stale';

let queries: QueryClient;
let stop: () => void;
/** Ends each read that began. */
let ends: (() => void)[];

const queryKey = ['facts', 'thread', 1];

beforeEach(() => {
  queries = new QueryClient();
  ends = [];
  const queryFn = () => new Promise<number>((resolve) => ends.push(() => resolve(ends.length)));
  stop = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
});
afterEach(() => {
  stop();
  queries.clear();
});
/** As many reads began, and no other one does. */
const reads = async (count: number) => {
  await vi.waitFor(() => expect(ends).toHaveLength(count));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ends).toHaveLength(count);
};

test('a read in progress is repeated when it ends, once', async () => {
  refetchStale(queries, []);
  refetchStale(queries, ['facts']);
  await reads(1);
  ends[0]!();
  await reads(2);
  ends[1]!();
  await reads(2);
});

test('a read that was cancelled is not repeated: whoever did it wants it no more', async () => {
  refetchStale(queries, []);
  await reads(1);
  await queries.cancelQueries({ queryKey });
  await reads(1);
});

test('what it would have read again stays stale for whoever shows it next', async () => {
  ends[0]!();
  await vi.waitFor(() => expect(queries.getQueryData(queryKey)).toBe(1));
  void queries.refetchQueries({ queryKey });
  await reads(2);
  refetchStale(queries, []);
  // As when the page that shows it is left.
  await queries.cancelQueries({ queryKey });
  await vi.waitFor(() => expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true));
});
