'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { auditQueryOf, type AuditFilters } from './audit-filters';

export interface FirstAudit {
  filters: AuditFilters;
  page: Schemas['AuditList'];
}

/** The filtered log, page after page, loaded on scroll. */
export function useAudit(filters: AuditFilters, first: FirstAudit) {
  const painted = JSON.stringify(filters) === JSON.stringify(first.filters);
  return useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...auditQueryOf(filters), ...(pageParam === undefined ? {} : { cursor: pageParam }) };
      return dataOf(browserApi.GET('/v1/audit', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    ...(painted
      ? {
          initialData: { pages: [first.page], pageParams: [undefined] },
          initialDataUpdatedAt: arrivedAt(first.page),
        }
      : {}),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
}
