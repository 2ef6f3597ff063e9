'use client';

import { useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';

export const tokensKey = (threadId: string) => ['thread-tokens', threadId];

/** The live tokens that this session may see. No events tell of tokens: the list is read anew while it is visible. */
export const useThreadTokens = (threadId: string) =>
  useQuery({
    queryKey: tokensKey(threadId),
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/threads/{id}/tokens', { params: { path: { id: threadId } }, signal })),
    refetchInterval: 10_000,
  });
