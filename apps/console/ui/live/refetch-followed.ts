import type { Query, QueryClient } from '@tanstack/react-query';
import { liveNames } from './stale-keys';

const followed: ReadonlySet<unknown> = new Set(liveNames);

/**
 * Reads what only events keep up to date, such as the messages on the page: without events an erased message would stay
 * readable. Queries with an interval of their own are left to it. Those that are not on the page are read when they are
 * shown again.
 */
export function refetchFollowed(queries: QueryClient): void {
  void queries.invalidateQueries(
    { predicate: (query) => followed.has(query.queryKey[0]) && !hasInterval(query) },
    { cancelRefetch: false },
  );
}

const hasInterval = ({ observers }: Query): boolean =>
  observers.some(({ options }) => typeof options.refetchInterval === 'number');
