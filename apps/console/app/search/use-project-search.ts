'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import type { operations } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useQueryString } from '@/ui/lists/query-string';

type Asked = NonNullable<operations['searchProject']['parameters']['query']>;
type Role = NonNullable<Asked['role']>;

/** A role of the API that is missing here does not compile. */
export const roles = Object.keys({
  user: true,
  assistant: true,
  tool: true,
  system: true,
  developer: true,
} satisfies Record<Role, true>) as Role[];

export type ProjectSearch = ReturnType<typeof useProjectSearch>;

/** The search in the URL, and the threads that it found so far. */
export function useProjectSearch() {
  const [params, , follow] = useQueryString();
  const q = (params.get('q') ?? '').slice(0, 1000);
  const role = roles.find((role) => role === params.get('role')) ?? null;
  const search = useInfiniteQuery({
    queryKey: ['project-search', q, role],
    queryFn: ({ pageParam, signal }) => {
      const query = { q, ...(role && { role }), ...(pageParam !== undefined && { cursor: pageParam }) };
      return dataOf(browserApi.GET('/v1/search', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: q.trim() !== '',
    // Looking again by itself would read the whole project again.
    staleTime: Infinity,
  });
  const pages = search.data?.pages ?? [];
  return {
    ...search,
    q,
    role,
    found: pages.flatMap((page) => page.data),
    searched: {
      threads: pages.reduce((sum, page) => sum + page.searched.threads, 0),
      createdAfter: pages.at(-1)?.searched.created_after ?? null,
    },
    ask: (next: { q?: string; role?: Role | null }) => follow({ q, role, ...next }),
  };
}
