'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { ErrorGroups } from '@/app/attempts/error-groups';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { LoadMore } from '@/ui/lists/load-more';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { RowsLoading } from '@/ui/lists/rows-loading';
import table from '@/ui/lists/table.module.css';
import { AttemptListRow } from './attempt-list-row';
import { EmptyTab } from './empty-tab';
import classes from './jobs.module.css';
import { outcomeOf } from './tabs';

/** Attempts of all threads with a good or a bad outcome, newest first. */
export function AttemptList({ tab }: { tab: 'done' | 'failed' }) {
  const live = useLiveQueryOptions();
  const list = useInfiniteQuery({
    ...live(['project-compactions', tab]),
    queryFn: ({ pageParam, signal }) => {
      const query = {
        outcome: outcomeOf(tab),
        limit: 50,
        ...(pageParam ? { cursor: pageParam } : {}),
      } as const;
      return dataOf(browserApi.GET('/v1/compactions', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  if (list.isPending) return <RowsLoading rows={8} />;
  if (list.isLoadingError)
    return <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />;
  const attempts: Schemas['ProjectCompactionAttempt'][] = list.data.pages.flatMap((page) => page.data);
  if (attempts.length === 0) return <EmptyTab tab={tab} filtered={false} />;
  return (
    <>
      {tab === 'failed' && <ErrorGroups attempts={attempts} />}
      <div
        className={classes.sideways}
        tabIndex={0}
        role="group"
        aria-label={tab === 'done' ? 'Attempts that succeeded' : 'Attempts that failed'}
      >
        <table className={table.table}>
          <thead>
            <tr>
              <th>Thread</th>
              <th>Outcome</th>
              <th>Started</th>
              <th className={table.right}>Took</th>
              <th>Trigger</th>
              {tab === 'done' ? (
                <>
                  <th>Range</th>
                  <th className={table.right}>Tokens</th>
                </>
              ) : null}
              <th>Made by</th>
              <th className={table.right}>Model tokens in / out</th>
              <th className={table.right}>Cost</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <AttemptListRow key={`${attempt.thread_id} ${attempt.id}`} attempt={attempt} tab={tab} />
            ))}
          </tbody>
        </table>
      </div>
      <LoadMore list={list} />
    </>
  );
}
