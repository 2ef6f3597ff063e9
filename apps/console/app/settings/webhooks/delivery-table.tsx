'use client';

import { SegmentedControl } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Empty } from '@/ui/messages/empty';
import { LoadMore } from '@/ui/lists/load-more';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { useQueryString } from '@/ui/lists/query-string';
import { RowsLoading } from '@/ui/lists/rows-loading';
import table from '@/ui/lists/table.module.css';
import { DeliveryRow } from './delivery-row';
import type { Webhook } from './use-webhooks';
import classes from './webhooks.module.css';

const states = ['pending', 'delivered', 'failed'] as const;

/** Deliveries of one webhook, newest first. */
export function DeliveryTable({ webhook }: { webhook: Webhook }) {
  const [params, change] = useQueryString();
  const asked = params.get('state');
  const state = states.find((known) => known === asked);
  const list = useInfiniteQuery({
    queryKey: ['webhooks', webhook.id, 'deliveries', state ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        browserApi.GET('/v1/webhooks/{id}/deliveries', {
          params: {
            path: { id: webhook.id },
            query: { limit: 50, ...(state ? { state } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 2_000,
  });
  const deliveries = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section aria-label="Deliveries">
      <div className={classes.sectionHead}>
        <h2>Deliveries</h2>
        <SegmentedControl
          size="xs"
          aria-label="Deliveries shown"
          value={state ?? 'all'}
          onChange={(value) => change({ state: value === 'all' ? null : value })}
          data={['all', ...states].map((value) => ({
            value,
            label: value[0]!.toUpperCase() + value.slice(1),
          }))}
        />
      </div>
      {list.isPending ? (
        <RowsLoading rows={5} />
      ) : list.isError && deliveries.length === 0 ? (
        <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : deliveries.length === 0 ? (
        <Empty icon={IconInbox} title={state ? `Nothing is ${state}` : 'Nothing was sent yet'}>
          A delivery shows here within seconds of its event. Test sends one.
        </Empty>
      ) : (
        <div className={classes.sideways} tabIndex={0} role="group" aria-label="Deliveries">
          <table className={table.table}>
            <thead>
              <tr>
                <th>Event</th>
                <th>State</th>
                <th className={table.right}>Status</th>
                <th className={table.right}>Attempts</th>
                <th className={table.right}>Took</th>
                <th>Created</th>
                <th>Answer</th>
                <th aria-label="Actions" />
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
              ))}
            </tbody>
          </table>
          <LoadMore list={list} />
        </div>
      )}
    </section>
  );
}
