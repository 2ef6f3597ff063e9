'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { versionOf } from '../use-thread';
import type { FormatName } from './context-formats';

interface Asked {
  /** The message that was the newest; null for now. */
  at: number | null;
  format: FormatName;
  enabled?: boolean;
}

/** A whole context. While another one loads, the previous one stays on the page. */
export const useContextAt = (thread: Schemas['Thread'], { at, format, enabled = true }: Asked) =>
  useQuery({
    queryKey: ['context', thread.id, 'whole', at ?? versionOf(thread), format],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/context', {
          params: { path: { id: thread.id }, query: { format, ...(at === null ? {} : { at }) } },
          signal,
        }),
      ),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: at === null ? Infinity : 60_000,
    // A context may have megabytes, and a slider passes many.
    gcTime: 60_000,
  });
