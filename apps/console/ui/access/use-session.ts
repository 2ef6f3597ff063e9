'use client';

import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useSyncExternalStore } from 'react';
import { browserApi, dataOf } from './browser-api';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/sessions/current', { signal })),
  staleTime: 60_000,
});

/**
 * The key and the project of this session; undefined while they are being read. Also while a part of the page hydrates:
 * another part may know them by then, and the server, which does not, has rendered what must be found there.
 */
export function useSession(): Schemas['SessionCurrent'] | undefined {
  const { data } = useQuery(sessionQuery);
  const isHydrated = useSyncExternalStore(neverChanges, always, neverOnServer);
  return isHydrated ? data : undefined;
}

const neverChanges = () => () => undefined;
const always = () => true;
const neverOnServer = () => false;
