'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';

/** The preview under this policy, refreshed whenever the thread changes. */
export const usePreview = (
  thread: Schemas['Thread'],
  policy: Schemas['PolicyInput'] | undefined,
  enabled: boolean,
) =>
  useQuery({
    queryKey: ['preview', thread.id, thread.last_seq, thread.compaction.generation, policy],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/compactions/preview', {
          params: { path: { id: thread.id } },
          body: policy ? { policy } : {},
          signal,
        }),
      ),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
