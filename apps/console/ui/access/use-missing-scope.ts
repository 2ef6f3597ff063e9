'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from './browser-api';
import { missingScope } from './missing-scope';

/** Returns the scope when the key of this session lacks it, else null; null too while the session is being read. */
export function useMissingScope(scope: Schemas['Scope']): Schemas['Scope'] | null {
  const session = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/sessions/current', { signal })),
    staleTime: 60_000,
  });
  return missingScope(session.data?.scopes, scope);
}
