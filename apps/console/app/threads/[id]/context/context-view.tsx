'use client';

import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/browser-api';
import { problemOf } from '@/ui/problem';
import { ProblemPanel } from '@/ui/problem-panel';
import { useQueryString } from '@/ui/query-string';
import { RowsLoading } from '@/ui/rows-loading';
import type { Coverage } from '../messages/coverage';
import { AtField } from './at-field';
import { ContextList } from './context-list';
import { ContextSums } from './context-sums';
import classes from './context.module.css';

interface Props {
  thread: Schemas['Thread'];
  /** The context as of now. */
  now: UseQueryResult<Schemas['Context']>;
  coverage: Coverage;
}

/** Exactly what the model gets now, or what it got when an older message was the newest. */
export function ContextView({ thread, now, coverage }: Props) {
  const [params, change] = useQueryString();
  const asked = Number(params.get('at'));
  const at = Number.isInteger(asked) && asked >= 1 && asked < thread.last_seq ? asked : null;
  const past = useQuery({
    queryKey: ['context', thread.id, at],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/context', {
          params: { path: { id: thread.id }, query: { at: String(at) } },
          signal,
        }),
      ),
    enabled: at !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const query = at === null ? now : past;
  return (
    <>
      <AtField
        at={at ?? thread.last_seq}
        lastSeq={thread.last_seq}
        coverage={coverage}
        onChange={(seq) => change({ at: seq >= thread.last_seq ? null : String(seq) })}
      />
      {query.isError ? (
        <ProblemPanel problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <div className={classes.columns} data-stale={query.isPlaceholderData}>
          <ContextSums context={query.data} at={at} />
          <ContextList key={at ?? 'now'} context={query.data} />
        </div>
      ) : (
        <RowsLoading rows={10} />
      )}
    </>
  );
}
