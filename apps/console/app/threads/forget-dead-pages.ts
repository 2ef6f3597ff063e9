import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** A page that no other leads to may be led to again, once the page before it was read. */
const deadAfterMs = 60_000;

/**
 * Returns a function that forgets the pages of a list that no other page leads to any more. A list that changes while it
 * is looked at has its pages start elsewhere each time, and every start is a query of its own. Pages that are led to are
 * kept, also out of view: without one of them all pages after it are unknown, and the list loses its place.
 *
 * The function is called whenever the pages start elsewhere: `list` is the beginning of their keys, and `starts` has the
 * last part of the key of each page that is led to.
 */
export function deadPageForgetter(queries: QueryClient, now: () => number = Date.now) {
  const deadSince = new WeakMap<Query, number>();
  return (list: QueryKey, starts: readonly string[]): void => {
    const isLedTo = new Set<unknown>(starts);
    for (const query of queries.getQueryCache().findAll({ queryKey: list })) {
      if (isLedTo.has(query.queryKey.at(-1)) || query.getObserversCount() > 0) {
        deadSince.delete(query);
        continue;
      }
      const since = deadSince.get(query) ?? now();
      deadSince.set(query, since);
      if (now() - since >= deadAfterMs) queries.getQueryCache().remove(query);
    }
  };
}
