'use client';

import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '../access/browser-api';

const pauseMs = 180;

const isSearch = (text: string): boolean => text.length >= 2 && text.length <= 200 && !text.includes('#');

/**
 * Threads whose id or metadata contains a text, the last used first; asked for once typing pauses. None until then:
 * those of the text before would be opened by Enter.
 */
export function useFoundThreads(text: string) {
  const [settled] = useDebouncedValue(text, pauseMs);
  const query = useQuery({
    queryKey: ['found-threads', settled],
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/threads', { params: { query: { q: settled, limit: 8 } }, signal })),
    enabled: isSearch(settled),
    staleTime: 10_000,
  });
  if (!isSearch(text)) return { threads: [], asking: false };
  if (text !== settled) return { threads: [], asking: true };
  return { threads: query.data?.data ?? [], asking: query.isFetching };
}
