import { CancelledError, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';

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
  const isCancelled = await query.fetch(undefined, { cancelRefetch: false }).then(
    () => false,
    (error: unknown) => error instanceof CancelledError,
  );
  repeated.delete(query);
  // Whoever cancelled it wants it no more, as the facts of a summary that was just rejected; it stays stale for the next.
  const refetchType = isCancelled ? 'none' : 'active';
  const exactly = { queryKey: query.queryKey, exact: true };
  await queries.invalidateQueries({ ...exactly, refetchType }, { cancelRefetch: false });
}
