'use client';

import { useQueryClient } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { openEventSource, type LiveState } from './event-source';
import { invalidator } from './invalidator';

const LiveContext = createContext<LiveState>('connecting');

/** How what is shown is kept up to date just now. */
export const useLiveState = (): LiveState => use(LiveContext);

/** Keeps the tab's stream of events, and has the queries of the page asked again when an event says so. */
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
        // What happened before there was a stream, or while there was none to go on after, was told to nobody.
        if (next === 'live' && !resumed) void queries.invalidateQueries();
      },
    });
    return () => {
      close();
      stale.stop();
    };
  }, [queries, signedIn]);

  return <LiveContext value={state}>{children}</LiveContext>;
}
