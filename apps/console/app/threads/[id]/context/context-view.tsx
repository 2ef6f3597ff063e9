'use client';

import type { Schemas } from '@spillway/client';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { useQueryString } from '@/ui/lists/query-string';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { count } from '@/ui/quantity';
import type { Coverage } from '../messages/gutter/coverage';
import { wholeIn } from '../pressure/whole-in';
import { AtField } from './at-field';
import { ContextComparison } from './context-comparison';
import { formatNamed } from './context-formats';
import { ContextProblem } from './context-problem';
import { ContextList } from './context-list';
import { ContextSums } from './context-sums';
import { ContextToolbar } from './context-toolbar';
import classes from './context.module.css';
import { useContextAt } from './use-context-at';

interface Props {
  thread: Schemas['Thread'];
  coverage: Coverage;
}

/** Exactly what the model gets now, or what it got when an older message was the newest. */
export function ContextView({ thread, coverage }: Props) {
  const [params, change] = useQueryString();
  const { last_seq: lastSeq } = thread;
  // The newest message's context is the current one, which also includes later compactions.
  const at = wholeIn(params.get('at'), lastSeq - 1);
  const other = wholeIn(params.get('with'), lastSeq);
  const format = formatNamed(params.get('format'));
  const query = useContextAt(thread, { at, format });
  const compared = useContextAt(thread, {
    at: other === lastSeq ? null : other,
    format,
    enabled: other !== null,
  });
  const context = query.data;
  return (
    <>
      <AtField
        at={at ?? lastSeq}
        lastSeq={lastSeq}
        coverage={coverage}
        onChange={(seq) => change({ at: seq >= lastSeq ? null : String(seq) })}
      />
      <ContextToolbar
        threadId={thread.id}
        context={context}
        at={at}
        other={other}
        lastSeq={lastSeq}
        format={format}
        loading={query.isPlaceholderData ? `Loading message ${count(at ?? lastSeq)}…` : null}
        onChange={change}
      />
      {query.isError && !query.isPlaceholderData ? (
        <ContextProblem
          thread={thread}
          problem={problemOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : context ? (
        <div className={classes.columns}>
          <ContextSums context={context} at={at} />
          {other === null ? (
            <ContextList context={context} part={params.get('part')} />
          ) : compared.isError ? (
            <ProblemPanel problem={problemOf(compared.error)} onRetry={() => void compared.refetch()} />
          ) : compared.data ? (
            <ContextComparison one={context} at={at ?? lastSeq} other={compared.data} with={other} />
          ) : (
            <RowsLoading rows={10} />
          )}
        </div>
      ) : (
        <RowsLoading rows={10} />
      )}
    </>
  );
}
