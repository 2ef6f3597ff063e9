'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { useQueryString } from '@/ui/lists/query-string';
import { rangeOf, usageQuery, type Range } from './range';

export interface FirstOverview {
  range: Range;
  usage: Schemas['Usage'];
  attention: Schemas['Attention'];
}

/** The data of the overview, kept up to date; the server's first answer is available at once. */
export function useOverview(first: FirstOverview) {
  const [params] = useQueryString();
  const range = rangeOf(params.get('range'));
  const live = useLiveQueryOptions();
  const usage = useQuery({
    ...live(['usage', range]),
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/usage', { params: { query: usageQuery(range, Date.now()) }, signal })),
    ...(range === first.range
      ? { initialData: first.usage, initialDataUpdatedAt: arrivedAt(first.usage) }
      : {}),
    placeholderData: keepPreviousData,
  });
  const attention = useQuery({
    ...live(['attention']),
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/attention', { signal })),
    initialData: first.attention,
    initialDataUpdatedAt: arrivedAt(first.attention),
  });
  return { range, usage, attention };
}
