'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { seldomMs, useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { isTransient } from '@/ui/messages/problem';
import { contextNow } from './context-now';

export interface FirstThread {
  thread: Schemas['Thread'];
  /** Its sums and parts without its text: a context has many messages, and only one tab shows them. */
  context: Schemas['Context'] | undefined;
  map: Schemas['ThreadMap'] | undefined;
  /** The first visible messages, by the number of their block. */
  messages: { block: number; data: Schemas['Message'][] } | undefined;
}

/**
 * A thread with its context, map and summaries, kept up to date. Events have the thread's row asked for again; the
 * others follow when it shows that they changed. What summaries say is asked for only where it is shown.
 */
export function useThread(first: FirstThread, { withSummaries }: { withSummaries: boolean }) {
  const path = { id: first.thread.id };
  const live = useLiveQueryOptions();
  const thread = useQuery({
    ...live(['thread', path.id]),
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/threads/{id}', { params: { path }, signal })),
    initialData: first.thread,
    initialDataUpdatedAt: arrivedAt(first.thread),
  });
  const version = versionOf(thread.data);
  const painted = version === versionOf(first.thread);
  const context = useQuery({
    ...contextNow(path.id, version),
    initialData: painted ? first.context : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: untilRead,
  });
  const { generation } = thread.data.compaction;
  const summaries = useInfiniteQuery({
    queryKey: ['summaries', path.id, generation],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 200, ...(pageParam ? { cursor: pageParam } : {}) };
      return dataOf(browserApi.GET('/v1/threads/{id}/summaries', { params: { path, query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    enabled: withSummaries,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const drawn = [generation, sizeOf(thread.data.last_seq)];
  const map = useQuery({
    queryKey: ['map', path.id, ...drawn],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/threads/{id}/map', { params: { path }, signal })),
    initialData: painted ? first.map : undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    refetchInterval: untilRead,
  });
  const failing = thread.isError || hasFailed(context) || hasFailed(map);
  return { thread, context, summaries, map, failing };
}

/** A thread whose fixed content is over its limit has no context, and asking again changes nothing. */
const hasFailed = ({ error }: { error: Error | null }): boolean => error !== null && isTransient(error);

/** What is read once for each version of a thread is read again only after it failed. */
const untilRead = ({ state }: { state: { error: Error | null } }) => (hasFailed(state) ? seldomMs : false);

/** Changes when a thread has grown by about two percent: the map need not be redrawn for less. */
const sizeOf = (lastSeq: number): number => Math.floor(Math.log(lastSeq + 1) / Math.log(1.02));

/** Changes whenever the context may have. */
export const versionOf = (thread: Schemas['Thread']): string =>
  [
    thread.last_seq,
    thread.compaction.generation,
    thread.live_tokens,
    thread.context_window,
    thread.updated_at,
  ].join();
