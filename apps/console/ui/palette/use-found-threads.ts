'use client';

import { useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '../access/browser-api';

/** Threads whose id or metadata contains a text, the last used first. */
export function useFoundThreads(text: string) {
  const wanted = text.length >= 2 && text.length <= 200 && !text.includes('#');
  const query = useQuery({
    queryKey: ['found-threads', text],
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/threads', { params: { query: { q: text, limit: 8 } }, signal })),
    enabled: wanted,
    staleTime: 10_000,
  });
  return { threads: wanted ? (query.data?.data ?? []) : [], asking: wanted && query.isFetching };
}
