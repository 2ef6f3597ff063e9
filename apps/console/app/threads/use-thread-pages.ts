'use client';

import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { filtersText, type ThreadFilters } from './filters/thread-filters';
import { threadQuery, threadsPerPage } from './filters/thread-query';
import { deadPageForgetter } from './forget-dead-pages';

type Page = Schemas['ThreadList'];

export interface FirstThreads {
  filters: ThreadFilters;
  page: Page;
}

/**
 * Threads as filtered, page after page. Only the pages being looked at are kept up to date, so a list of 100,000 costs
 * no more than one of 100; the others are held as they were and read again when they come into view. Where a page
 * starts is what the page before it said last, so that a thread which moves leaves no hole behind.
 */
export function useThreadPages(filters: ThreadFilters, first: FirstThreads) {
  const text = filtersText(filters);
  const queries = useQueryClient();
  const live = useLiveQueryOptions();
  const [seen, setSeen] = useState({ from: 0, to: 0 });
  const [forget] = useState(() => deadPageForgetter(queries));
  const keyOf = useCallback((cursor: string | undefined) => ['threads', text, cursor ?? ''] as const, [text]);
  const cursors = cursorsOf((cursor) => queries.getQueryData<Page>(keyOf(cursor)), first, text);
  const from = Math.min(seen.from, cursors.length - 1);
  const to = Math.min(seen.to, cursors.length - 1);
  const shown = cursors.slice(from, to + 1);
  const painted = filtersText(first.filters) === text;
  const results = useQueries({
    queries: shown.map((cursor) => ({
      ...live(keyOf(cursor)),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(browserApi.GET('/v1/threads', { params: { query: threadQuery(filters, cursor) }, signal })),
      ...(painted && cursor === undefined
        ? { initialData: first.page, initialDataUpdatedAt: arrivedAt(first.page) }
        : {}),
      gcTime: 30 * 60_000,
    })),
  });
  const look = useCallback((start: number, end: number) => {
    const next = {
      from: Math.floor(Math.max(0, start) / threadsPerPage),
      to: Math.floor(end / threadsPerPage),
    };
    setSeen((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  // While a page loads, its previous rows stay, so that nothing flickers. So do those of the pages after it, which are
  // unknown until it says where they start.
  const before = useRef<{ text: string; threads: Threads; known: number } | null>(null);
  const threads = useMemo(
    () => byIndex(results, { from, to: seen.to }, before.current?.threads),
    [results, from, seen.to],
  );
  const isStale =
    results.some((result) => result.isPending) && before.current !== null && before.current.text !== text;
  const last = cursors.at(-1);
  useEffect(() => {
    const starts = cursors.map((cursor) => cursor ?? '');
    forget(['threads', text], starts);
    // Only when the pages start elsewhere, or there are more.
  }, [text, cursors.length, last]);
  const lastPage = queries.getQueryData<Page>(keyOf(last)) ?? results.at(-1)?.data;
  const counted = (cursors.length - 1) * threadsPerPage + (lastPage?.data.length ?? 0);
  // A list that became shorter for that time would lose its place.
  const known = results.at(-1)?.isPending ? Math.max(counted, before.current?.known ?? 0) : counted;
  useEffect(() => {
    if (!isStale) before.current = { text, threads, known };
  });
  return {
    /** Of a page that is in view, by place in the list. */
    threads,
    known,
    complete: lastPage !== undefined && lastPage.next_cursor === null,
    look,
    /** Nothing can be shown yet. A list that is there stays, also where none of its rows in view is read yet. */
    isPending: known === 0 && results.some((result) => result.isPending),
    isStale,
    error: results.find((result) => result.isError)?.error ?? null,
    refetch: () => void Promise.all(results.map((result) => result.refetch())),
  };
}

/** The start of every known page, and of the next one. */
function cursorsOf(
  pageAt: (cursor: string | undefined) => Page | undefined,
  first: FirstThreads,
  text: string,
): (string | undefined)[] {
  const cursors: (string | undefined)[] = [undefined];
  let page = pageAt(undefined) ?? (filtersText(first.filters) === text ? first.page : undefined);
  while (page?.next_cursor) {
    cursors.push(page.next_cursor);
    page = pageAt(page.next_cursor);
  }
  return cursors;
}

type Threads = Map<number, Schemas['ThreadListed']>;

/** A thread that moves during reads may be on two pages: it is shown once. */
function byIndex(
  results: UseQueryResult<Page>[],
  view: { from: number; to: number },
  before: Threads | undefined,
): Threads {
  const seen = new Set<string>();
  const threads: Threads = new Map();
  const add = (index: number, thread: Schemas['ThreadListed'] | undefined) => {
    if (!thread || seen.has(thread.id)) return;
    seen.add(thread.id);
    threads.set(index, thread);
  };
  results.forEach(({ data, isPending }, i) => {
    const start = (view.from + i) * threadsPerPage;
    if (data) data.data.forEach((thread, j) => add(start + j, thread));
    // A refused page does not come: old rows would be wrong.
    else if (isPending) {
      const isLast = i === results.length - 1;
      const end = isLast ? (view.to + 1) * threadsPerPage : start + threadsPerPage;
      for (let at = start; at < end; at++) add(at, before?.get(at));
    }
  });
  return threads;
}
