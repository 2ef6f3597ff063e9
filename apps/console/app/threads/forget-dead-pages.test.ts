import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { deadPageForgetter } from './forget-dead-pages';

/** A list whose pages were read, and a clock that goes on as the test says. */
function readPages(...starts: string[]) {
  const queries = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });
  const read = (start: string, list = 'all') => queries.setQueryData(['threads', list, start], []);
  starts.forEach((start) => read(start));
  let now = 0;
  const forget = deadPageForgetter(queries, () => now);
  return {
    queries,
    read,
    /** The list's pages start there now. */
    lead: (...to: string[]) => forget(['threads', 'all'], to),
    pass: (ms: number) => (now += ms),
    kept: () =>
      queries
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey.slice(1).join(':')),
  };
}

test('a page that no other leads to is forgotten after a minute', () => {
  const { read, lead, pass, kept } = readPages('', 'a', 'b');
  read('a', 'parked');
  read('b2');
  lead('', 'a', 'b2');
  pass(59_000);
  lead('', 'a', 'b2');
  expect(kept()).toContain('all:b');
  pass(1_000);
  lead('', 'a', 'b2');
  expect(kept()).toEqual(['all:', 'all:a', 'parked:a', 'all:b2']);
});

test('pages that are led to are kept however long ago they were read, so the list keeps its place', () => {
  const { lead, pass, kept } = readPages('', 'a', 'b', 'c');
  for (let i = 0; i < 10; i++) {
    lead('', 'a', 'b', 'c');
    pass(60_000);
  }
  expect(kept()).toEqual(['all:', 'all:a', 'all:b', 'all:c']);
});

test('pages that are led to again, once the page before them was read, are kept', () => {
  const { lead, pass, kept } = readPages('', 'a', 'b', 'c');
  lead('', 'a2');
  pass(59_000);
  lead('', 'a2', 'b', 'c');
  pass(2_000);
  lead('', 'a3');
  expect(kept()).toEqual(['all:', 'all:b', 'all:c']);
  pass(59_000);
  lead('', 'a3');
  expect(kept()).toContain('all:b');
});

test('a page that is looked at is kept', () => {
  const { queries, lead, pass, kept } = readPages('', 'a');
  const observer = new QueryObserver(queries, { queryKey: ['threads', 'all', 'a'], staleTime: Infinity });
  onTestFinished(observer.subscribe(() => undefined));
  lead('');
  pass(60_000);
  lead('');
  expect(kept()).toContain('all:a');
});
