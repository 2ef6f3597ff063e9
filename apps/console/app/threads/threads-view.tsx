'use client';

import { Button } from '@mantine/core';
import { IconMessages, IconSearchOff } from '@tabler/icons-react';
import { Empty } from '@/ui/empty';
import { Live } from '@/ui/live';
import { Page } from '@/ui/page';
import { problemOf } from '@/ui/problem';
import { ProblemPanel } from '@/ui/problem-panel';
import { useQueryString } from '@/ui/query-string';
import { RowsLoading } from '@/ui/rows-loading';
import { readFilters, type ThreadFilters } from './thread-filters';
import { ThreadTable } from './thread-table';
import { ThreadToolbar } from './thread-toolbar';
import classes from './threads.module.css';
import { useThreads, type FirstThreads } from './use-threads';

export function ThreadsView({ first }: { first: FirstThreads }) {
  const [params, change] = useQueryString();
  const filters = readFilters((name) => params.get(name));
  const list = useThreads(filters, first);
  const filter = (changes: Partial<ThreadFilters>) => {
    const next = { ...filters, ...changes };
    change({ q: next.q, state: next.state, sort: next.sort === 'updated' ? null : next.sort });
  };
  return (
    <Page
      head={
        <>
          <div className={classes.title}>
            <h1>Threads</h1>
            <Live failing={list.isError} />
          </div>
          <ThreadToolbar filters={filters} onChange={filter} />
        </>
      }
    >
      {list.isPending ? (
        <RowsLoading rows={12} />
      ) : list.isError && list.threads.length === 0 ? (
        <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : list.threads.length === 0 ? (
        <NoThreads
          filtered={filters.q !== '' || filters.state !== null}
          onReset={() => filter({ q: '', state: null })}
        />
      ) : (
        <div className={classes.list} data-stale={list.isPlaceholderData}>
          <ThreadTable threads={list.threads} sort={filters.sort} onSort={(sort) => filter({ sort })} />
          <div className={classes.more}>
            {list.hasNextPage ? (
              <Button
                variant="default"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                Load more
              </Button>
            ) : (
              <span className="dim">
                {list.threads.length === 1 ? '1 thread' : `${list.threads.length} threads`}
              </span>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}

function NoThreads({ filtered, onReset }: { filtered: boolean; onReset: () => void }) {
  if (filtered) {
    return (
      <Empty icon={IconSearchOff} title="No thread matches">
        <Button variant="default" onClick={onReset}>
          Clear the filters
        </Button>
      </Empty>
    );
  }
  return (
    <Empty icon={IconMessages} title="No threads yet">
      A thread appears here with its first message. Post one:
      <pre>{`curl "$SPILLWAY_URL/v1/threads/hello/messages" \\
  -H "authorization: Bearer $SPILLWAY_KEY" \\
  -H "content-type: application/json" \\
  -d '{"messages":[{"role":"user","content":"Hello"}]}'`}</pre>
    </Empty>
  );
}
