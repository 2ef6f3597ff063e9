import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads those queries on the page again whose last read failed, and those whose read in progress fails. After an outage
 * in which nothing happened no event would have them read: a context that is read once for each version of its thread
 * would be missing until the thread changes.
 */
export function refetchFailed(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll({ type: 'active' })) void repeatFailed(query);
}

async function repeatFailed(query: Query): Promise<void> {
  if (query.state.fetchStatus !== 'idle') await fetched(query);
  if (query.state.status === 'error' && query.isActive()) await fetched(query);
}

/** Resolves when the read in progress, or a new one, ended. */
const fetched = (query: Query): Promise<unknown> =>
  query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
