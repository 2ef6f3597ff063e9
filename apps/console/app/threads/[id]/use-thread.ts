'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';

export interface FirstThread {
  thread: Schemas['Thread'];
  context: Schemas['Context'] | undefined;
  summaries: Schemas['SummaryList'] | undefined;
}

/**
 * A thread with its context and summaries, kept up to date. Events have the thread's row asked for again; the others
 * follow when it shows that they changed.
 */
export function useThread(first: FirstThread) {
  const path = { id: first.thread.id };
  const thread = useQuery({
    queryKey: ['thread', path.id],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/threads/{id}', { params: { path }, signal })),
    initialData: first.thread,
    ...useLiveQueryOptions(),
  });
  const version = versionOf(thread.data);
  const painted = version === versionOf(first.thread);
  const context = useQuery({
    queryKey: ['context', path.id, 'now', version],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/threads/{id}/context', { params: { path }, signal })),
    initialData: painted ? first.context : undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const { generation } = thread.data.compaction;
  const summaries = useQuery({
    queryKey: ['summaries', path.id, generation],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/summaries', { params: { path, query: { limit: '200' } }, signal }),
      ),
    initialData: generation === first.thread.compaction.generation ? first.summaries : undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return { thread, context, summaries };
}

/** Changes whenever the context may have. */
const versionOf = (thread: Schemas['Thread']): string =>
  [
    thread.last_seq,
    thread.compaction.generation,
    thread.live_tokens,
    thread.context_window,
    thread.updated_at,
  ].join();
