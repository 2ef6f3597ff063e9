'use client';

import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from './browser-api';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/sessions/current', { signal })),
  staleTime: 60_000,
});

/** The key and the project of this session; undefined while they are being read. */
export const useSession = (): Schemas['SessionCurrent'] | undefined => useQuery(sessionQuery).data;
