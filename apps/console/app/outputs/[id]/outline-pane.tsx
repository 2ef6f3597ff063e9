'use client';

import { Loader, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count, plural } from '@/ui/quantity';
import classes from './matches.module.css';

/** Maximum of entries shown; search finds the others. */
const most = 1_000;

interface Props {
  outputId: string;
  line: number | null;
  onGo: (line: number) => void;
}

/** The outline of an output: symbols, headings, columns, error lines. A click goes to the line. */
export function OutlinePane({ outputId, line, onGo }: Props) {
  const outline = useQuery({
    queryKey: ['outline', outputId],
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/outputs/{id}/outline', { params: { path: { id: outputId } }, signal })),
    staleTime: Infinity,
    retry: false,
  });
  if (outline.isLoadingError)
    return <ProblemPanel problem={problemOf(outline.error)} onRetry={() => void outline.refetch()} />;
  const items = outline.data?.items ?? [];
  const here = items.findLast((item) => item.line <= (line ?? 0));
  return (
    <section className={classes.matches} data-side="left" aria-label="Outline">
      <header className={classes.matchesHead}>
        <span role="status">
          {outline.isPending ? (
            <>
              <Loader size={12} aria-hidden /> <VisuallyHidden>Reading the outline</VisuallyHidden>
            </>
          ) : (
            `Outline of ${outline.data.kind} · ${plural(items.length, 'line')}`
          )}
        </span>
      </header>
      <ol className={classes.matchList} tabIndex={0} aria-label="Entries of the outline">
        {items.slice(0, most).map((item, i) => (
          <li key={i}>
            <button
              type="button"
              className={classes.match}
              aria-current={item === here || undefined}
              onClick={() => onGo(item.line)}
            >
              <span className={`num ${classes.matchLine}`}>{count(item.line)}</span>
              <span className={classes.matchText} style={{ paddingLeft: `${Math.min(8, item.depth)}ch` }}>
                {item.label.slice(0, 240)}
              </span>
            </button>
          </li>
        ))}
        {outline.data && (items.length > most || items.length === 0 || outline.data.truncated) && (
          <li className={classes.matchMore}>
            {items.length === 0 && 'This output has no outline. '}
            {items.length > most && `${count(items.length - most)} more entries: search for them. `}
            {outline.data.truncated && 'Made of the first 4 MB.'}
          </li>
        )}
      </ol>
    </section>
  );
}
