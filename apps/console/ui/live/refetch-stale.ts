import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Queries that are read again when the read in progress ends. */
const repeated = new WeakSet<Query>();

/**
 * Marks queries as stale, by the beginning of their keys, and reads those on the page again. A read in progress may
 * have been answered before the change, so it is repeated when it ends. It is not cancelled: changes that come faster
 * than a read ends would cancel each one, and the page would show none of them.
 */
export function refetchStale(queries: QueryClient, queryKey: QueryKey): void {
  const isReading = ({ state }: Query) => state.fetchStatus !== 'idle';
  const reading = queries.getQueryCache().findAll({ queryKey, predicate: isReading });
  void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  for (const query of reading) void repeat(queries, query);
}

async function repeat(queries: QueryClient, query: Query): Promise<void> {
  if (repeated.has(query)) return;
  repeated.add(query);
  // Returns the promise of the read in progress, whose success also takes the mark away again.
  await query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
  repeated.delete(query);
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
}
