'use client';

import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { usageQuery } from '@/app/overview/range';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Live } from '@/ui/frame/live';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { Page } from '@/ui/page';
import { count } from '@/ui/quantity';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { useQueryString } from '@/ui/lists/query-string';
import { useChosenInView } from '@/ui/lists/use-chosen-in-view';
import { AttemptList } from './attempt-list';
import classes from './jobs.module.css';
import { QueueStrip } from './queue-strip';
import { SweepTable } from './sweep-table';
import { isThreadTab, tabNames, tabOf, tabs } from './tabs';
import { ThreadList } from './thread-list';

interface First {
  queue: Schemas['Queue'];
  usage: Schemas['Usage'];
}

/** The compaction backlog in Postgres, recent attempts, and sweeps. */
export function JobsView({ first }: { first: First }) {
  const [params, , follow] = useQueryString();
  const live = useLiveQueryOptions();
  const queue = useQuery({
    ...live(['queue']),
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/queue', { signal })),
    initialData: first.queue,
    initialDataUpdatedAt: arrivedAt(first.queue),
  });
  const usage = useQuery({
    ...live(['usage', '24h']),
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/usage', { params: { query: usageQuery('24h', Date.now()) }, signal })),
    initialData: first.usage,
    initialDataUpdatedAt: arrivedAt(first.usage),
  });
  const { counts } = queue.data;
  const asked = params.get('tab');
  // Once for each address: counts change all the time, and a default that followed them would change the tab, and close
  // what a person has open in it.
  const [chosen, choose] = useState(() => ({ asked, tab: tabOf(asked, counts) }));
  if (chosen.asked !== asked) choose({ asked, tab: tabOf(asked, counts) });
  const { tab } = chosen;
  const tabList = useChosenInView<HTMLDivElement>(tab);
  return (
    <Page
      head={
        <div className={classes.title}>
          <h1>Jobs</h1>
          <Live failing={queue.isError} />
        </div>
      }
    >
      <QueueStrip queue={queue.data} usage={usage.data} />
      <Tabs
        value={tab}
        onChange={(value) => follow({ tab: value, reason: null })}
        keepMounted={false}
        classNames={{ list: classes.tabList, tab: classes.tab }}
      >
        <Tabs.List ref={tabList} aria-label="Jobs">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabNames[name]}{' '}
              {isThreadTab(name) && counts[name] > 0 && (
                <span className={`num ${classes.tabCount}`} data-bad={name === 'parked'}>
                  {count(counts[name])}
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((name) => (
          <Tabs.Panel key={name} value={name} className={classes.panel}>
            {name === 'sweeps' ? (
              <SweepTable sweeps={queue.data.sweeps} />
            ) : isThreadTab(name) ? (
              <ThreadList state={name} queue={queue.data} reason={params.get('reason')} />
            ) : (
              <AttemptList tab={name} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
