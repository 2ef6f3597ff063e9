'use client';

import { IconArrowsMinimize } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ErrorGroups } from '@/app/attempts/error-groups';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Empty } from '@/ui/messages/empty';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { LoadMore } from '@/ui/lists/load-more';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { RowsLoading } from '@/ui/lists/rows-loading';
import table from '@/ui/lists/table.module.css';
import thread from '../thread.module.css';
import { AttemptRow } from './attempt-row';

/** All attempts of a thread, newest first, with outcome and reason. */
export function AttemptTable({ threadId }: { threadId: string }) {
  const live = useLiveQueryOptions();
  const list = useInfiniteQuery({
    ...live(['compactions', threadId]),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/compactions', {
          params: {
            path: { id: threadId },
            query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  if (list.isPending) return <RowsLoading rows={8} />;
  if (list.isLoadingError)
    return <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />;
  const attempts = list.data.pages.flatMap((page) => page.data);
  if (attempts.length === 0) {
    return (
      <Empty icon={IconArrowsMinimize} title="Never compacted">
        Attempts appear here when the context reaches its trigger or a compaction is requested.
      </Empty>
    );
  }
  const figures = attempts.some((attempt) => attempt.input_tokens !== null);
  return (
    <div className={thread.scroll} tabIndex={0} role="group" aria-label="Compaction attempts">
      <ErrorGroups attempts={attempts} />
      <table className={table.table}>
        <thead>
          <tr>
            <th>Outcome</th>
            <th>Started</th>
            <th>Trigger</th>
            <th>Range</th>
            <th>Summary</th>
            <th>Made by</th>
            <th className={table.right}>Context tokens</th>
            {figures && <th className={table.right}>Model tokens</th>}
            {figures && <th className={table.right}>Cost</th>}
            <th className={table.right}>Took</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.id} attempt={attempt} figures={figures} />
          ))}
        </tbody>
      </table>
      <LoadMore list={list} />
    </div>
  );
}
