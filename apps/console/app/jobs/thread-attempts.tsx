'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { AttemptOutcome } from '@/app/attempts/attempt-outcome';
import { threadPath } from '@/app/threads/thread-path';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { duration } from '@/ui/quantity';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { TimeAgo } from '@/ui/time-ago';
import classes from './jobs.module.css';

const shown = 8;

/** The last attempts of a thread with their errors. */
export function ThreadAttempts({ threadId }: { threadId: string }) {
  const live = useLiveQueryOptions();
  const list = useQuery({
    ...live(['compactions', threadId, shown]),
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/compactions', {
          params: { path: { id: threadId }, query: { limit: shown } },
          signal,
        }),
      ),
  });
  if (list.isPending) return <RowsLoading rows={2} />;
  if (list.isLoadingError)
    return <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />;
  const { data, next_cursor: more } = list.data;
  if (data.length === 0) return <p className={classes.quiet}>No attempt has begun yet.</p>;
  return (
    <ol className={classes.attempts} aria-label={`Attempts of ${threadId}`}>
      {data.map((attempt) => (
        <li key={attempt.id}>
          <AttemptOutcome attempt={attempt} />
          <span className="dim">
            <TimeAgo at={attempt.started_at} />
            {attempt.duration_ms !== null && `, took ${duration(attempt.duration_ms)}`}
          </span>
          {attempt.error && <span className={classes.attemptError}>{attempt.error}</span>}
        </li>
      ))}
      {more !== null && (
        <li>
          <Link href={`${threadPath(threadId)}?tab=compactions`} className="inline">
            All attempts of this thread
          </Link>
        </li>
      )}
    </ol>
  );
}
