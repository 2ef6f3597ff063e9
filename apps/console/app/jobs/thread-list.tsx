'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count } from '@/ui/quantity';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { noWorkerAdvice } from '@/app/attempts/no-worker-advice';
import { EmptyTab } from './empty-tab';
import classes from './jobs.module.css';
import { ReasonFilter } from './reason-filter';
import { isLate } from './queue-counts';
import { ReasonNotes } from './reason-notes';
import { RetryAll } from './retry-all';
import type { ThreadTab } from './tabs';
import { ThreadTable } from './thread-table';

interface Props {
  state: ThreadTab;
  queue: Schemas['Queue'];
  /** Of parked threads: only those parked for this. */
  reason: string | null;
}

const maxShown = 200;

/** The threads of one state, the longest waiting first; parked ones are grouped by reason and retried together. */
export function ThreadList({ state, queue, reason }: Props) {
  const why = state === 'parked' ? reason : null;
  const live = useLiveQueryOptions();
  const list = useQuery({
    ...live(['queue', state, why]),
    queryFn: ({ signal }) => {
      const query = { state, limit: maxShown, ...(why ? { reason: why } : {}) };
      return dataOf(browserApi.GET('/v1/queue', { params: { query }, signal }));
    },
  });
  if (list.isPending) return <RowsLoading rows={6} />;
  if (list.isLoadingError)
    return <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />;
  const { threads, counts, parked_by_reason: reasons } = list.data;
  const matching = why === null ? counts[state] : (reasons.find((one) => one.reason === why)?.count ?? 0);
  return (
    <>
      {(state === 'parked' || state === 'backoff') && (matching > 0 || why !== null) && (
        <div className={classes.bar}>
          {state === 'parked' && <ReasonFilter reasons={queue.parked_by_reason} chosen={why} />}
          {matching > 0 && <RetryAll state={state} reason={why} matching={matching} />}
        </div>
      )}
      {state === 'parked' && threads.length > 0 && (
        <ReasonNotes reasons={[...new Set(threads.map((thread) => thread.compaction.reason ?? ''))]} />
      )}
      {state === 'due' && list.data.paused_at !== null && (
        <dl className={classes.notes}>
          <dt>Compaction is paused</dt>
          <dd>
            The operator paused it. These threads are compacted afterwards, those that have waited longest
            first. Contexts are served meanwhile; over the limit they leave messages out.
          </dd>
        </dl>
      )}
      {state === 'due' && isLate(list.data.oldest_due_ms) && (
        <dl className={classes.notes}>
          <dt>No worker claims them</dt>
          <dd>{noWorkerAdvice} Contexts are served meanwhile; over the limit they leave messages out.</dd>
        </dl>
      )}
      {threads.length === 0 ? (
        <EmptyTab tab={state} filtered={why !== null} />
      ) : (
        <ThreadTable threads={threads} state={state} />
      )}
      {matching > threads.length && threads.length > 0 && (
        <p className={classes.none}>
          The {count(threads.length)} that wait longest, of {count(matching)}.
        </p>
      )}
    </>
  );
}
