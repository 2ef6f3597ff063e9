'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useQueryString } from '@/ui/lists/query-string';
import { searchWords } from '@/ui/text/search-words';

const most = 100;

export type ThreadSearch = ReturnType<typeof useSearch>;

/** The search in the URL and its hits, in the order of the thread. */
export function useSearch(threadId: string) {
  const [params, change] = useQueryString();
  const q = (params.get('q') ?? '').slice(0, 1000);
  const search = useQuery({
    queryKey: ['search', threadId, q],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/search', {
          params: { path: { id: threadId }, query: { q, limit: most } },
          signal,
        }),
      ),
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const hits = useMemo(
    () => (q === '' ? [] : (search.data?.data.toSorted((a, b) => a.seq - b.seq) ?? [])),
    [q, search.data],
  );
  const words = useMemo(() => searchWords(q), [q]);
  return {
    q,
    words,
    hits,
    full: (search.data?.next_cursor ?? null) !== null,
    truncated: search.data?.truncated ?? false,
    loading: q !== '' && (search.isPending || search.isPlaceholderData),
    error: search.error,
    retry: () => void search.refetch(),
    setQ: (next: string) => change({ q: next.trim() === '' ? null : next }),
  };
}
