'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/browser-api';
import { Live } from '@/ui/live';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { Page } from '@/ui/page';
import classes from './jobs.module.css';
import { QueueCounts } from './queue-counts';
import { SweepTable } from './sweep-table';
import { UnsettledTable } from './unsettled-table';

/** What compaction has to do, as Postgres knows it, and what was swept. */
export function JobsView({ first }: { first: Schemas['Queue'] }) {
  const queue = useQuery({
    queryKey: ['queue'],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/queue', { signal })),
    initialData: first,
    ...useLiveQueryOptions(),
  });
  const { counts, oldest_due_ms, threads, sweeps } = queue.data;
  return (
    <Page
      head={
        <div className={classes.title}>
          <h1>Jobs</h1>
          <Live failing={queue.isError} />
        </div>
      }
    >
      <QueueCounts counts={counts} oldestDueMs={oldest_due_ms} />
      <h2 className={classes.heading}>Threads to compact</h2>
      <UnsettledTable threads={threads} />
      <h2 className={classes.heading}>Sweeps</h2>
      <SweepTable sweeps={sweeps} />
    </Page>
  );
}
