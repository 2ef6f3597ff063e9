'use client';

import { useQueries, useQueryClient, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useRef, useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { refetchStale } from '@/ui/live/refetch-stale';
import type { FirstThread } from '../use-thread';
import { blockOf, blockQuery, blocksBetween, holdsAll } from './content/message-block';

type Message = Schemas['Message'];

/** Messages loaded before and after the visible ones, for links to results and for the next page. */
const around = 12;

/**
 * Messages by seq, loaded as the list scrolls. A fork lacks those of the messages up to `forkSeq` that its parent had
 * rewound.
 */
export function useMessageBlocks(
  threadId: string,
  range: { first: number; last: number; lastSeq: number; forkSeq: number },
  painted: FirstThread['messages'],
) {
  const { lastSeq, forkSeq } = range;
  const queries = useQueryClient();
  useState(() => seedBlock(queries, threadId, painted));
  const blocks = blocksBetween(Math.max(1, range.first - around), Math.min(range.last + around, lastSeq));
  const loaded = useQueries({
    combine: collect,
    queries: blocks.map((block) => ({
      queryKey: ['messages', threadId, block],
      queryFn: ({ signal }: { signal: AbortSignal }) => readBlock(threadId, block, signal),
      // The last block grows; while this was not on screen nobody asked for what came.
      staleTime: ({ state }: { state: { data?: Message[] | undefined } }) =>
        holdsAll(state.data, block, lastSeq) ? Infinity : 0,
    })),
  });

  const known = useRef(lastSeq);
  useEffect(() => {
    const before = known.current;
    known.current = lastSeq;
    for (const block of lastSeq > before ? blocksBetween(before + 1, lastSeq) : []) {
      refetchStale(queries, ['messages', threadId, block]);
    }
  }, [lastSeq, queries, threadId]);

  const isAbsent = (seq: number): boolean =>
    seq <= forkSeq &&
    !loaded.bySeq.has(seq) &&
    queries.getQueryData(['messages', threadId, blockOf(seq)]) !== undefined;
  const isFailed = (seq: number): boolean =>
    queries.getQueryState(['messages', threadId, blockOf(seq)])?.status === 'error';
  return { ...loaded, isAbsent, isFailed };
}

/** Payloads of pages whose messages are in the cache, or were. */
const seeded = new WeakSet<object>();

/**
 * Puts the messages that came with the page into the cache, before the first render. Only once: when the cache has
 * dropped them, or when the router shows a page again that was left, they may have been erased or rewound since.
 */
function seedBlock(queries: QueryClient, threadId: string, painted: FirstThread['messages']): void {
  if (!painted || seeded.has(painted)) return;
  seeded.add(painted);
  const key = ['messages', threadId, painted.block];
  if (queries.getQueryData(key) === undefined) queries.setQueryData(key, painted.data);
}

/** An answer is limited to some megabytes, so a block of huge messages takes several. */
async function readBlock(id: string, block: number, signal: AbortSignal): Promise<Message[]> {
  const messages: Message[] = [];
  for (let more = true; more;) {
    const query = blockQuery(block, messages.at(-1)?.seq);
    const page = await dataOf(
      browserApi.GET('/v1/threads/{id}/messages', { params: { path: { id }, query }, signal }),
    );
    messages.push(...page.data);
    more = page.next_cursor !== null && page.data.length > 0;
  }
  return messages;
}

/** Defined outside of the hook, so that TanStack Query calls it only when an answer changed. */
function collect(results: UseQueryResult<Message[]>[]) {
  const bySeq = new Map<number, Message>();
  for (const { data = [] } of results) for (const message of data) bySeq.set(message.seq, message);
  const failed = results.filter((result) => result.isError);
  return {
    bySeq,
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach((result) => void result.refetch()),
  };
}
