'use client';

import { IconNotes } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { Empty } from '@/ui/empty';
import { problemOf } from '@/ui/problem';
import { ProblemPanel } from '@/ui/problem-panel';
import { useQueryString } from '@/ui/query-string';
import { RowsLoading } from '@/ui/rows-loading';
import thread from '../thread.module.css';
import { SummaryCard } from './summary-card';
import classes from './summaries.module.css';

interface Props {
  threadId: string;
  summaries: UseQueryResult<Schemas['SummaryList']>;
}

/** Generations, newest first. The one that is in use is open, and the one the address names. */
export function SummaryList({ threadId, summaries }: Props) {
  const [params] = useQueryString();
  const named = Number(params.get('generation'));
  if (summaries.isError) {
    return <ProblemPanel problem={problemOf(summaries.error)} onRetry={() => void summaries.refetch()} />;
  }
  if (!summaries.data) return <RowsLoading rows={8} />;
  if (summaries.data.data.length === 0) {
    return (
      <Empty icon={IconNotes} title="No summary yet">
        The first one is made when the context reaches its trigger. Until then every message is sent as it is.
      </Empty>
    );
  }
  return (
    <div className={thread.scroll}>
      <div className={classes.list}>
        {summaries.data.data.map((summary) => (
          <SummaryCard
            key={summary.generation}
            threadId={threadId}
            summary={summary}
            open={summary.active || summary.generation === named}
            named={summary.generation === named}
          />
        ))}
      </div>
    </div>
  );
}
