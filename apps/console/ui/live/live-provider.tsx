'use client';

import { useQueryClient } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { openEventSource, type LiveState } from './event-source';
import { invalidator } from './invalidator';
import { liveMs } from './live-ms';
import { refetchFailed } from './refetch-failed';
import { refetchFollowed } from './refetch-followed';
import { refetchStale } from './refetch-stale';
import { useMayListen } from './use-may-listen';

const LiveContext = createContext<LiveState>('connecting');

/** How views are currently kept up to date. */
export const useLiveState = (): LiveState => use(LiveContext);

/** Keeps the tab's event stream, and refetches the page's queries on events. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const signedIn = usePathname() !== '/login';
  const mayListen = useMayListen(signedIn);
  const [streamState, setState] = useState<LiveState>('connecting');
  // The API would refuse the stream to this key again and again.
  const state = mayListen === false ? 'polling' : streamState;

  useEffect(() => {
    if (!signedIn || !mayListen) return;
    const stale = invalidator(queries);
    const close = openEventSource({
      onEvent: (event) => stale.take(event),
      onState: (next, resumed) => {
        setState(next);
        if (next !== 'live') return;
        if (resumed) refetchFailed(queries);
        // Events before the stream started, or that it cannot resume after, were missed.
        else refetchStale(queries, []);
      },
    });
    return () => {
      close();
      stale.stop();
    };
  }, [queries, signedIn, mayListen]);

  useEffect(() => {
    if (!signedIn || state !== 'polling') return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refetchFollowed(queries);
    }, liveMs);
    return () => clearInterval(timer);
  }, [queries, signedIn, state]);

  return <LiveContext value={state}>{children}</LiveContext>;
}
