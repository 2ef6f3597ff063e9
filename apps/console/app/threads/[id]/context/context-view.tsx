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
  const { last_seq: lastSeq, recorded_seq: recordedSeq } = thread;
  // The context of the newest message is the current one, which also includes later compactions. A rewound message may
  // be after it, and has the context that the model saw before the rewind.
  const pastAt = (seq: number | null) => (seq === lastSeq ? null : seq);
  const at = pastAt(wholeIn(params.get('at'), recordedSeq));
  const other = wholeIn(params.get('with'), recordedSeq);
  const format = formatNamed(params.get('format'));
  const query = useContextAt(thread, { at, format });
  const compared = useContextAt(thread, { at: pastAt(other), format, enabled: other !== null });
  const context = query.data;
  const loading = query.isPlaceholderData
    ? (at ?? lastSeq)
    : other !== null && compared.isPlaceholderData
      ? other
      : null;
  return (
    <>
      <AtField
        at={at ?? lastSeq}
        lastSeq={lastSeq}
        recordedSeq={recordedSeq}
        coverage={coverage}
        onChange={(seq) => change({ at: seq === lastSeq ? null : String(seq) })}
      />
      <ContextToolbar
        threadId={thread.id}
        context={context}
        at={at}
        other={other}
        recordedSeq={recordedSeq}
        format={format}
        loading={loading === null ? null : `Loading message ${count(loading)}…`}
        onChange={change}
      />
      {query.isError && context === undefined ? (
        <ContextProblem
          thread={thread}
          problem={problemOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : context ? (
        <div className={classes.columns}>
          <ContextSums context={context} at={query.isPlaceholderData ? context.last_seq : at} />
          {other === null ? (
            <ContextList context={context} part={params.get('part')} />
          ) : compared.isLoadingError ? (
            <ProblemPanel problem={problemOf(compared.error)} onRetry={() => void compared.refetch()} />
          ) : compared.data?.format === context.format ? (
            <ContextComparison one={context} other={compared.data} />
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
