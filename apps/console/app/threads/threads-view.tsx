'use client';

import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef } from 'react';
import { Live } from '@/ui/frame/live';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { plural } from '@/ui/quantity';
import { useQueryString } from '@/ui/lists/query-string';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { FilterMenu } from './filters/filter-menu';
import { FilterTokens, tokensOf } from './filters/filter-tokens';
import { NoThreads } from './list/no-threads';
import { SearchBox } from './filters/search-box';
import { SortControl } from './filters/sort-control';
import {
  noFilters,
  readFilters,
  writeFilters,
  type Direction,
  type ThreadFilters,
  type ThreadSort,
} from './filters/thread-filters';
import { ThreadList } from './list/thread-list';
import classes from './threads.module.css';
import { useThreadCounts } from './filters/use-thread-counts';
import { useThreadPages, type FirstThreads } from './use-thread-pages';
import { ViewTabs } from './filters/view-tabs';

export function ThreadsView({ first }: { first: FirstThreads }) {
  const [params, change, follow] = useQueryString();
  const filters = useMemo(() => readFilters((name) => params.get(name)), [params]);
  const pages = useThreadPages(filters, first);
  const counts = useThreadCounts(filters);
  const narrow = useMediaQuery('(max-width: 640px)') ?? false;
  const box = useRef<HTMLInputElement>(null);
  useShortcuts('Filters', [{ keys: '/', does: 'Filter the threads', run: () => box.current?.focus() }]);
  const set = (next: ThreadFilters) => change(writeFilters(next));
  const filter = (changes: Partial<ThreadFilters>) => set({ ...filters, ...changes });
  const sort = (by: ThreadSort, direction: Direction) => filter({ sort: by, direction });
  const reset = () => set({ ...noFilters, sort: filters.sort, direction: filters.direction });
  const total = pages.complete ? pages.known : counts.data?.total;
  return (
    <>
      <header className={classes.head}>
        <div className={classes.title}>
          <h1>Threads</h1>
          <span className={`num ${classes.total}`} role="status">
            {total === undefined ? '' : plural(total, 'thread')}
          </span>
          <Live failing={pages.error !== null} />
        </div>
        <div className={classes.toolbar}>
          <ViewTabs filters={filters} onView={(view) => follow(writeFilters(view))} />
          <div className={classes.narrow}>
            <SearchBox ref={box} q={filters.q} onSearch={(q) => filter({ q })} />
            <FilterMenu filters={filters} onChange={filter} />
            <SortControl filters={filters} onSort={sort} />
          </div>
        </div>
        <FilterTokens filters={filters} onChange={filter} onReset={reset} />
      </header>
      {pages.isPending ? (
        <RowsLoading rows={12} />
      ) : pages.error && pages.threads.size === 0 ? (
        <ProblemPanel problem={problemOf(pages.error)} onRetry={pages.refetch} />
      ) : pages.known === 0 && !pages.isStale ? (
        <NoThreads filtered={tokensOf(filters).length > 0} searched={filters.q} onReset={reset} />
      ) : (
        <div className={classes.list} data-stale={pages.isStale}>
          <ThreadList
            key={String(narrow)}
            pages={pages}
            filters={filters}
            total={total}
            narrow={narrow}
            onSort={sort}
          />
        </div>
      )}
    </>
  );
}
