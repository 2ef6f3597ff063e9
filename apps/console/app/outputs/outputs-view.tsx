'use client';

import { Button } from '@mantine/core';
import { IconFileText, IconSearchOff } from '@tabler/icons-react';
import { useIntersection } from '@mantine/hooks';
import { useEffect, useMemo } from 'react';
import { Empty } from '@/ui/messages/empty';
import { LoadMore } from '@/ui/lists/load-more';
import { Page, PageTitle } from '@/ui/page';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { plural } from '@/ui/quantity';
import { useQueryString } from '@/ui/lists/query-string';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { OutputFilterBar } from './output-filter-bar';
import { noFilters, readFilters, writeFilters, type OutputFilters } from './output-filters';
import { OutputRows } from './output-rows';
import classes from './outputs.module.css';
import { useOutputs, type FirstOutputs } from './use-outputs';

export function OutputsView({ first }: { first: FirstOutputs }) {
  const [params, change] = useQueryString();
  const filters = useMemo(() => readFilters((name) => params.get(name)), [params]);
  const list = useOutputs(filters, first);
  const filter = (changes: Partial<OutputFilters>) => change(writeFilters({ ...filters, ...changes }));
  const { ref: end, entry } = useIntersection({ rootMargin: '600px' });
  const { hasNextPage, isFetching, isFetchNextPageError: failed, fetchNextPage } = list;
  const near = entry?.isIntersecting === true;
  useEffect(() => {
    // A request that failed is made again by the button.
    if (near && hasNextPage && !isFetching && !failed) void fetchNextPage();
  }, [near, hasNextPage, isFetching, failed, fetchNextPage]);
  return (
    <Page
      head={
        <>
          <PageTitle
            title="Outputs"
            about="Tool results that are too large for a context. The model gets a stub."
          />
          <OutputFilterBar filters={filters} onChange={filter} />
        </>
      }
    >
      {list.isPending ? (
        <RowsLoading rows={12} />
      ) : list.isError && list.outputs.length === 0 ? (
        <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : list.outputs.length === 0 ? (
        <NoOutputs
          filtered={
            JSON.stringify({ ...filters, sort: null }) !== JSON.stringify({ ...noFilters, sort: null })
          }
          searched={filters.q !== ''}
          onReset={() => filter({ ...noFilters, sort: filters.sort })}
        />
      ) : (
        <div data-stale={list.isPlaceholderData} className={classes.list}>
          <OutputRows outputs={list.outputs} />
          <div ref={end} className={classes.end} role="status">
            {hasNextPage ? <LoadMore list={list} m={0} /> : plural(list.outputs.length, 'output')}
          </div>
        </div>
      )}
    </Page>
  );
}

interface NoOutputsProps {
  filtered: boolean;
  /** Whether words are searched for. */
  searched: boolean;
  onReset: () => void;
}

function NoOutputs({ filtered, searched, onReset }: NoOutputsProps) {
  if (filtered) {
    return (
      <Empty icon={IconSearchOff} title="No output matches">
        {searched && (
          <p>
            This search finds ids, tools and threads. What outputs say is searched within a thread: open it
            and press /.
          </p>
        )}
        <Button variant="default" onClick={onReset}>
          Clear the filters
        </Button>
      </Empty>
    );
  }
  return (
    <Empty icon={IconFileText} title="No offloaded outputs">
      A tool result larger than the policy&apos;s <code>outputs.threshold_tokens</code> is stored here, and
      the model gets a stub that explains how to read it. There are none yet.
    </Empty>
  );
}
