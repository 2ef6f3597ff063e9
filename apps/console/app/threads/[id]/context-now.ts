import { queryOptions } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';

/** The context of a version of a thread: its sums and parts, without its text. */
export const contextNow = (threadId: string, version: string) =>
  queryOptions({
    queryKey: ['context', threadId, 'now', version],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/context', {
          params: { path: { id: threadId }, query: { omit: 'messages' } },
          signal,
        }),
      ),
    staleTime: Infinity,
    // It has a part for each message, and each message makes a version: older ones would stay for minutes.
    gcTime: 0,
  });
