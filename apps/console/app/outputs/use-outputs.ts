'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { outputsQuery, type OutputFilters } from './output-filters';

export interface FirstOutputs {
  filters: OutputFilters;
  page: Schemas['OutputList'];
}

/** Outputs as filtered, page after page. `first` is what the server painted. */
export function useOutputs(filters: OutputFilters, first: FirstOutputs) {
  const painted = JSON.stringify(filters) === JSON.stringify(first.filters);
  const query = useInfiniteQuery({
    queryKey: ['project-outputs', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(browserApi.GET('/v1/outputs', { params: { query: outputsQuery(filters, pageParam) }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    initialData: painted ? { pages: [first.page], pageParams: [undefined] } : undefined,
    initialDataUpdatedAt: arrivedAt(first.page),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return { ...query, outputs: query.data?.pages.flatMap((page) => page.data) ?? [] };
}
