'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useMemo } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';

export interface Search {
  pattern: string;
  ignoreCase: boolean;
}

export type Grep = ReturnType<typeof useGrep>;

/** Matches loaded automatically; more are loaded on request. */
const enough = 500;

/**
 * Matching lines of an output. The API searches section by section, so the count grows until the whole output was
 * searched.
 */
export function useGrep(outputId: string, { pattern, ignoreCase }: Search) {
  const query = useInfiniteQuery({
    queryKey: ['grep', outputId, pattern, ignoreCase],
    queryFn: ({ pageParam, signal }) =>
      dataOf<Schemas['GrepResult']>(
        browserApi.GET('/v1/outputs/{id}/grep', {
          params: {
            path: { id: outputId },
            query: {
              pattern,
              ignore_case: ignoreCase,
              context: 1,
              limit: 100,
              max_tokens: 20000,
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: pattern !== '',
    staleTime: Infinity,
    retry: false,
  });
  const pages = query.data?.pages;
  const matches = useMemo(() => pages?.flatMap((page) => page.matches) ?? [], [pages]);
  const { hasNextPage, isFetching, isFetchNextPageError: failed, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !failed && matches.length < enough) void fetchNextPage();
  }, [hasNextPage, isFetching, failed, matches.length, fetchNextPage]);
  const lines = useMemo(() => new Set(matches.map((match) => match.line)), [matches]);
  const scanned = pages?.reduce((sum, page) => sum + page.scanned_lines, 0) ?? 0;
  return { query, matches, lines, scanned };
}
