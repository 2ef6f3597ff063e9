'use client';

import { useQueryClient } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { openEventSource, type LiveState } from './event-source';
import { invalidator } from './invalidator';
import { refetchFailed } from './refetch-failed';
import { refetchStale } from './refetch-stale';

const LiveContext = createContext<LiveState>('connecting');

/** How views are currently kept up to date. */
export const useLiveState = (): LiveState => use(LiveContext);

/** Keeps the tab's event stream, and refetches the page's queries on events. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const signedIn = usePathname() !== '/login';
  const [state, setState] = useState<LiveState>('connecting');

  useEffect(() => {
    if (!signedIn) return;
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
  }, [queries, signedIn]);

  return <LiveContext value={state}>{children}</LiveContext>;
}
