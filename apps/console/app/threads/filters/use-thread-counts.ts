'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { countsQuery } from './thread-query';
import type { ThreadFilters } from './thread-filters';

/** Counting reads every thread of the project, so it is refreshed less often than the list. */
const countMs = 20_000;

/** How many threads filters leave. */
export function useThreadCounts(filters: ThreadFilters, wanted = true) {
  const { q, state, model, errors, fill, messages, tokens, active, quiet, compacted } = filters;
  return useQuery({
    // Not the order, which changes no count.
    queryKey: [
      'thread-counts',
      { q, state, model, errors, fill, messages, tokens, active, quiet, compacted },
    ],
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/thread-counts', { params: { query: countsQuery(filters) }, signal })),
    placeholderData: keepPreviousData,
    staleTime: countMs,
    refetchInterval: countMs,
    enabled: wanted,
  });
}
