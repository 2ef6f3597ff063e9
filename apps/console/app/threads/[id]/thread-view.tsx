'use client';

import { Tabs } from '@mantine/core';
import { useMemo, type MouseEvent } from 'react';
import { problemOf } from '@/ui/messages/problem';
import { count } from '@/ui/quantity';
import { useQueryString } from '@/ui/lists/query-string';
import { useChosenInView } from '@/ui/lists/use-chosen-in-view';
import { AccessView } from './access/access-view';
import { AttemptTable } from './compactions/attempt-table';
import { ContextView } from './context/context-view';
import { InstructionsView } from './instructions/instructions-view';
import { coverageOf } from './messages/gutter/coverage';
import { Timeline } from './messages/timeline/timeline';
import { NoThread } from './no-thread';
import { OutputTable } from './outputs/output-table';
import { SummariesView } from './summaries/summaries-view';
import { ThreadHeader } from './thread-header';
import classes from './thread.module.css';
import { useThread, type FirstThread } from './use-thread';

const tabs = [
  'messages',
  'context',
  'instructions',
  'summaries',
  'compactions',
  'outputs',
  'access',
] as const;
type Tab = (typeof tabs)[number];

export function ThreadView({ first }: { first: FirstThread }) {
  const [params, , follow] = useQueryString();
  const asked = params.get('tab');
  const tab: Tab = tabs.find((known) => known === asked) ?? 'messages';
  const { thread, context, summaries, map, failing } = useThread(first, {
    withSummaries: tab === 'summaries',
  });
  const tabList = useChosenInView<HTMLDivElement>(tab);
  const coverage = useMemo(() => coverageOf(map.data?.generations ?? []), [map.data]);
  const { data } = thread;
  const counts: Partial<Record<Tab, number>> = {
    messages: data.recorded_seq,
    summaries: map.data?.generations.length,
    outputs: data.output_count,
  };
  // Erased while it was open: its content must disappear too.
  if (thread.isError && problemOf(thread.error).status === 404) return <NoThread id={data.id} />;
  return (
    <Tabs
      value={tab}
      onChange={(value) => follow({ tab: value === 'messages' ? null : value })}
      keepMounted={false}
      classNames={{ root: classes.tabs, panel: classes.panel, list: classes.tabList, tab: classes.tab }}
    >
      <ThreadHeader thread={data} context={context.data} failing={failing} />
      <Tabs.List ref={tabList}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name} onClick={handFocusOn}>
            {name}{' '}
            {counts[name] ? <span className={`num ${classes.tabCount}`}>{count(counts[name])}</span> : null}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="messages">
        <Timeline
          threadId={data.id}
          lastSeq={data.recorded_seq}
          newest={data.last_seq}
          forkSeq={data.forked_from?.at ?? 0}
          coverage={coverage}
          context={context.data}
          map={map.data}
          painted={first.messages}
        />
      </Tabs.Panel>
      <Tabs.Panel value="context">
        <ContextView thread={data} coverage={coverage} />
      </Tabs.Panel>
      <Tabs.Panel value="instructions">
        <InstructionsView threadId={data.id} />
      </Tabs.Panel>
      <Tabs.Panel value="summaries">
        <SummariesView thread={data} summaries={summaries} />
      </Tabs.Panel>
      <Tabs.Panel value="compactions">
        <AttemptTable threadId={data.id} />
      </Tabs.Panel>
      <Tabs.Panel value="outputs">
        <OutputTable threadId={data.id} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <AccessView threadId={data.id} />
      </Tabs.Panel>
    </Tabs>
  );
}

/**
 * A pointer that chooses a tab means its list, whose keys work while it has the focus: a list takes it when it appears,
 * and the one that is there gets it. Enter, space and the arrow keys click too, and leave the focus on the tabs.
 */
function handFocusOn({ detail, currentTarget }: MouseEvent<HTMLElement>): void {
  if (detail === 0) return;
  currentTarget.blur();
  const panel = document.getElementById(currentTarget.getAttribute('aria-controls') ?? '');
  panel?.querySelector<HTMLElement>('[role=group][tabindex="0"]')?.focus({ preventScroll: true });
}
