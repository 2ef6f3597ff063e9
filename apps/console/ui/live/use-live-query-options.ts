'use client';

import { liveMs } from '../frame/live';
import { useLiveState } from './live-provider';

/** While events arrive, the interval only covers what has no event: the end of a back-off, a sweep. */
const seldomMs = 30_000;

/**
 * Spread into a query that is to be kept up to date: `useQuery({ queryKey, queryFn, ...useLiveQueryOptions() })`. Its
 * key has to be one that stale-keys.ts knows.
 */
export function useLiveQueryOptions(): { refetchInterval: number | false } {
  const state = useLiveState();
  if (state === 'paused') return { refetchInterval: false };
  return { refetchInterval: state === 'live' ? seldomMs : liveMs };
}
