'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { threadQuery, type ThreadFilters } from './thread-filters';

export interface FirstThreads {
  filters: ThreadFilters;
  page: Schemas['ThreadList'];
}

/** Threads as filtered, page after page, kept up to date. `first` is what the server painted. */
export function useThreads(filters: ThreadFilters, first: FirstThreads) {
  const painted = JSON.stringify(filters) === JSON.stringify(first.filters);
  const query = useInfiniteQuery({
    queryKey: ['threads', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(browserApi.GET('/v1/threads', { params: { query: threadQuery(filters, pageParam) }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    initialData: painted ? { pages: [first.page], pageParams: [undefined] } : undefined,
    placeholderData: keepPreviousData,
    ...useLiveQueryOptions(),
  });
  return { ...query, threads: once(query.data?.pages.flatMap((page) => page.data) ?? []) };
}

/** A thread that moves up while pages are read would show twice. */
function once(threads: Schemas['Thread'][]): Schemas['Thread'][] {
  const seen = new Set<string>();
  return threads.filter(({ id }) => !seen.has(id) && seen.add(id));
}
