'use client';

import { Button } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { IconDownload, IconFileSearch } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useEffect } from 'react';
import { Empty } from '@/ui/messages/empty';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count } from '@/ui/quantity';
import { LoadMore } from '@/ui/lists/load-more';
import { useQueryString } from '@/ui/lists/query-string';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { useAllKeys } from '../keys/use-all-keys';
import classes from '../settings.module.css';
import { AuditFilterBar } from './audit-filter-bar';
import { auditQueryOf, readAuditFilters, type AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { useAudit, type FirstAudit } from './use-audit';

/** Who did what, newest first. */
export function AuditView({ first, firstKeys }: { first: FirstAudit; firstKeys: Schemas['KeyList'] | null }) {
  const [params, change] = useQueryString();
  const filters = readAuditFilters((name) => params.get(name));
  const keys = useAllKeys(firstKeys);
  const log = useAudit(filters, first);
  const rows = log.data?.pages.flatMap((page) => page.data) ?? [];
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError: failed, fetchNextPage } = log;
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const atEnd = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (atEnd && hasNextPage && !isFetchingNextPage && !failed) void fetchNextPage();
  }, [atEnd, hasNextPage, isFetchingNextPage, failed, fetchNextPage]);
  const none = { actor: null, kind: null, action: null, target: null, from: null, to: null };
  const filtered = Object.values(filters).some((value) => value !== '');
  return (
    <div className={classes.section}>
      <div className={classes.toolbar}>
        <AuditFilterBar filters={filters} keys={keys} onChange={(changes) => change({ ...changes })} />
        <Button
          component="a"
          href={exportPath(filters)}
          download="audit.jsonl"
          variant="default"
          className={classes.push}
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          Export as JSON lines
        </Button>
      </div>
      {log.isPending ? (
        <RowsLoading rows={12} />
      ) : log.isError && rows.length === 0 ? (
        <ProblemPanel problem={problemOf(log.error)} onRetry={() => void log.refetch()} />
      ) : rows.length === 0 ? (
        <Empty icon={IconFileSearch} title={filtered ? 'Nothing matches' : 'Nothing is recorded yet'}>
          {filtered ? (
            <Button variant="default" onClick={() => change(none)}>
              Clear the filters
            </Button>
          ) : (
            'Changes of settings, and what people read in the console, appear here.'
          )}
        </Empty>
      ) : (
        <>
          <AuditTable entries={rows} />
          <div ref={ref} className="dim" role="status">
            {failed ? (
              <LoadMore list={log} m={0} />
            ) : hasNextPage ? (
              'Loading older entries…'
            ) : rows.length === 1 ? (
              '1 entry'
            ) : (
              `${count(rows.length)} entries`
            )}
          </div>
        </>
      )}
    </div>
  );
}

const exportPath = (filters: AuditFilters): string =>
  `/api/v1/audit/export?${new URLSearchParams(auditQueryOf(filters)).toString()}`;
