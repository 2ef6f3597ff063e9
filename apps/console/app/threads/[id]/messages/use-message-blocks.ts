'use client';

import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useRef } from 'react';
import { browserApi, dataOf } from '@/ui/browser-api';

type Message = Schemas['Message'];

const perBlock = 100;

/**
 * Messages by seq, loaded in blocks of a hundred where the list is looked at. Seqs are gapless from 1, so a row
 * knows its block without loading those before it, and a full block never changes.
 */
export function useMessageBlocks(threadId: string, firstSeq: number, throughSeq: number, lastSeq: number) {
  const queries = useQueryClient();
  const blocks = blocksBetween(firstSeq, Math.min(throughSeq, lastSeq));
  const loaded = useQueries({
    combine: collect,
    queries: blocks.map((block) => ({
      queryKey: ['messages', threadId, block],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          browserApi.GET('/v1/threads/{id}/messages', {
            params: {
              path: { id: threadId },
              query: { after: String(block * perBlock), limit: String(perBlock), view: 'context' as const },
            },
            signal,
          }),
        ),
      staleTime: Infinity,
    })),
  });

  const known = useRef(lastSeq);
  useEffect(() => {
    const before = known.current;
    known.current = lastSeq;
    for (const block of lastSeq > before ? blocksBetween(before + 1, lastSeq) : []) {
      void queries.invalidateQueries({ queryKey: ['messages', threadId, block] });
    }
  }, [lastSeq, queries, threadId]);

  return loaded;
}

/** Stable outside of the hook, so that TanStack Query calls it only when an answer changed. */
function collect(results: UseQueryResult<Schemas['MessageList']>[]) {
  const bySeq = new Map<number, Message>();
  for (const result of results)
    for (const message of result.data?.data ?? []) bySeq.set(message.seq, message);
  const failed = results.find((result) => result.isError);
  return { bySeq, error: failed?.error ?? null, retry: () => void failed?.refetch() };
}

function blocksBetween(first: number, last: number): number[] {
  const from = Math.floor((Math.max(1, first) - 1) / perBlock);
  const to = Math.floor((Math.max(1, last) - 1) / perBlock);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
