'use client';

import { IconNotes } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import type { KeyboardEvent } from 'react';
import { Empty } from '@/ui/messages/empty';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { sequenceBegun } from '@/ui/shortcuts/sequence';
import { singleKeysOn } from '@/ui/shortcuts/single-keys';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { focusIfNoneHasIt } from '@/ui/frame/focus-if-none-has-it';
import { RunSteps } from '../compact/run-steps';
import { useCompactionRun } from '../compact/use-compaction-run';
import { GenerationRail } from './generation-rail';
import { GenerationView } from './generation-view';
import { MissingGeneration } from './missing-generation';
import classes from './summaries.module.css';
import { useGeneration } from './use-generation';

interface Props {
  thread: Schemas['Thread'];
  summaries: UseInfiniteQueryResult<Schemas['Summary'][]>;
}

const summaryShortcuts = [
  { keys: 'j', does: 'Older generation' },
  { keys: 'k', does: 'Newer generation' },
  { keys: 'd', does: 'Show or hide the diff' },
];

/** Generations on the left, newest first; one of them on the right, with its facts and sources. */
export function SummariesView({ thread, summaries }: Props) {
  const { all, named, chosen } = useGeneration(thread.id, summaries.data);
  const run = useCompactionRun(thread);
  useShortcuts('Summaries', summaryShortcuts);
  if (summaries.isError && !summaries.data) {
    return <ProblemPanel problem={problemOf(summaries.error)} onRetry={() => void summaries.refetch()} />;
  }
  if (!summaries.data) return <RowsLoading rows={8} />;
  if (all.length === 0 && named.generation !== null) return <MissingGeneration named={named} />;
  if (all.length === 0) {
    return (
      <Empty icon={IconNotes} title="No summary yet">
        The first one is made when the context reaches its trigger. Until then every message is sent
        unchanged.
      </Empty>
    );
  }
  // Only while the focus is within the view, so that no key is taken from anything else.
  const press = (event: KeyboardEvent) => {
    if (sequenceBegun(event.timeStamp) || !singleKeysOn()) return;
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    if (!chosen) return;
    const at = all.indexOf(chosen.summary);
    if (event.key === 'j') chosen.choose(all[at + 1]);
    else if (event.key === 'k') chosen.choose(all[at - 1]);
    else if (event.key === 'd') chosen.compare(chosen.base ? undefined : chosen.nearestBase);
    else return;
    event.preventDefault();
  };
  return (
    <div className={classes.view} onKeyDown={press}>
      <GenerationRail all={all} chosen={chosen?.summary} listed={summaries.data} list={summaries} />
      <div
        ref={focusIfNoneHasIt}
        className={classes.scroll}
        tabIndex={0}
        role="group"
        aria-label="Summary, keys j k d"
      >
        <RunSteps run={run} />
        {chosen ? (
          <GenerationView
            key={chosen.summary.generation}
            thread={thread}
            all={all}
            chosen={chosen}
            onRun={run.start}
          />
        ) : (
          <MissingGeneration named={named} />
        )}
      </div>
    </div>
  );
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]') !== null;
