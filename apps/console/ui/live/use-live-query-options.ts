'use client';

import { liveMs } from './live-ms';
import { useLiveState } from './live-provider';
import type { LiveKey } from './stale-keys';

/** While events arrive, the interval only covers what has no event: the end of a back-off, a sweep. */
export const seldomMs = 30_000;

/**
 * Returns the options of a query that is to be kept up to date, by its key:
 * `useQuery({ ...live(['queue']), queryFn })`. A key that no event makes stale does not compile.
 */
export function useLiveQueryOptions() {
  const state = useLiveState();
  const refetchInterval = state === 'paused' ? false : state === 'live' ? seldomMs : liveMs;
  return <Key extends LiveKey>(queryKey: Key): { queryKey: Key; refetchInterval: number | false } => ({
    queryKey,
    refetchInterval,
  });
}
