'use client';

import { IconMessageOff } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Schemas } from '@spillway/client';
import { Empty } from '@/ui/messages/empty';
import { ProblemNote } from '@/ui/messages/problem-note';
import { SearchBox } from '../../search/search-box';
import { SearchHits } from '../../search/search-hits';
import { useSearch } from '../../search/use-search';
import type { FirstThread } from '../../use-thread';
import { ChangeDialog } from '../changes/change-dialog';
import { useMessageChange } from '../changes/use-message-change';
import { copyMessageLink } from '../copy-message-link';
import type { Coverage } from '../gutter/coverage';
import { ForkDialog } from '../fork-dialog';
import { MessageList } from '../message-list';
import { standingsOf } from '../gutter/standing';
import { ThreadRail } from '../gutter/thread-rail';
import classes from './timeline.module.css';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';
import { onTimelineKey, timelineShortcuts } from './timeline-keys';
import { TimelineBar } from './timeline-bar';
import { toolTies } from '../content/tool-ties';
import { useCursor } from './use-cursor';
import { useMessageBlocks } from '../use-message-blocks';
import { useRows } from './use-rows';

interface Props {
  threadId: string;
  lastSeq: number;
  /** The newest message of the context: later ones are rewound. */
  newest: number;
  /** Of a fork: the newest message from its parent; 0 for any other thread. */
  forkSeq: number;
  coverage: Coverage;
  context: Schemas['Context'] | undefined;
  map: Schemas['ThreadMap'] | undefined;
  painted: FirstThread['messages'];
}

/** All messages of a thread, of which only the visible ones are loaded and rendered. Opens at the newest. */
export function Timeline(props: Props) {
  if (props.lastSeq > 0) return <Messages {...props} />;
  return (
    <Empty icon={IconMessageOff} title="No messages yet">
      They appear here as they are recorded: <code>POST /v1/threads/{props.threadId}/messages</code>
    </Empty>
  );
}

function Messages({ threadId, lastSeq, newest, forkSeq, coverage, context, map, painted }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const scrollTo = useRef<(seq: number) => void>(undefined);
  const [cursor, move] = useCursor(lastSeq, (seq) => scrollTo.current?.(seq));
  const { list, drawn, inSight } = useRows(scroller, lastSeq, cursor);
  const { bySeq, isAbsent, isFailed, error, retry } = useMessageBlocks(
    threadId,
    { ...drawn, lastSeq, forkSeq },
    painted,
  );
  const search = useSearch(threadId);
  const [forkAt, setForkAt] = useState<number | null>(null);
  const { change, setChange, action, ask } = useMessageChange(threadId, newest);
  const ties = useMemo(() => toolTies(bySeq, lastSeq), [bySeq, lastSeq]);
  const standingOf = useStableStandings(coverage, context);
  const found = useMemo(() => new Set(search.hits.map((hit) => hit.seq)), [search.hits]);
  const hitSeqs = useMemo(() => [...found], [found]);

  scrollTo.current = (seq) => list.scrollTo(seq, 'center');
  const go = useCallback(
    (seq: number) => {
      move(seq);
      scrollTo.current?.(seq);
    },
    [move],
  );
  const near = (seq: number) => {
    move(seq);
    list.scrollTo(seq, 'auto');
  };
  // State, not a ref: from one hit to another in the same message the cursor stays, and nothing else would render.
  const [chosenHit, setChosenHit] = useState(-1);
  const hitAt =
    search.hits[chosenHit]?.seq === cursor ? chosenHit : search.hits.findIndex((hit) => hit.seq === cursor);
  const goToHit = (i: number) => {
    const hit = search.hits[i];
    if (!hit) return;
    setChosenHit(i);
    go(hit.seq);
  };
  const step = (by: 1 | -1) =>
    goToHit(nextHit(search.hits, { at: hitAt, cursor: cursor ?? inSight.first, by }));
  const onKey = onTimelineKey({ cursor, ...inSight, lastSeq, coverage }, (action) => {
    if (action.type === 'go') (action.far ? go : near)(action.seq);
    else if (action.type === 'search') box.current?.select();
    else if (action.type === 'hit') step(action.step);
    else if (action.type === 'copy') copyMessageLink(cursor ?? inSight.last);
    else expandRow(scroller.current, cursor);
  });

  useShortcuts('Messages', [...timelineShortcuts, { keys: 'g g', does: 'First message', run: () => go(1) }]);

  return (
    <>
      <TimelineBar lastSeq={lastSeq} at={cursor ?? inSight.last} coverage={coverage} onGo={go}>
        <SearchBox input={box} search={search} onStep={step} onLeave={() => scroller.current?.focus()} />
      </TimelineBar>
      {error && (
        <div className={classes.problem}>
          <ProblemNote error={error} onRetry={retry} />
        </div>
      )}
      <div className={classes.panes} data-searching={search.q !== ''}>
        {search.q !== '' && <SearchHits search={search} at={hitAt} onGo={goToHit} />}
        <div className={classes.thread}>
          <MessageList
            list={list}
            scroller={scroller}
            threadId={threadId}
            lastSeq={lastSeq}
            newest={newest}
            bySeq={bySeq}
            isAbsent={isAbsent}
            isFailed={isFailed}
            standingOf={standingOf}
            coverage={coverage}
            ties={ties}
            words={search.words}
            hits={found}
            cursor={cursor}
            onKey={onKey}
            onGo={go}
            onCopyLink={copyMessageLink}
            onFork={setForkAt}
            onChange={ask}
          />
          <ChangeDialog change={change} onChange={setChange} lastSeq={lastSeq} action={action} />
          <ForkDialog threadId={threadId} at={forkAt} onClose={() => setForkAt(null)} />
          <ThreadRail
            map={map}
            lastSeq={lastSeq}
            {...inSight}
            coverage={coverage}
            hits={hitSeqs}
            onScroll={(seq) => list.scrollTo(seq, 'center')}
          />
        </div>
      </div>
    </>
  );
}

/** Returns the same object for the same message until its inputs change, so that rows need not render. */
function useStableStandings(coverage: Coverage, context: Schemas['Context'] | undefined) {
  return useMemo(() => {
    const standingOf = standingsOf(coverage, context);
    const known = new Map<number, ReturnType<typeof standingOf>>();
    return (seq: number) => {
      const standing = known.get(seq) ?? standingOf(seq);
      known.set(seq, standing);
      return standing;
    };
  }, [coverage, context]);
}

/** The next or previous hit from the current one, or else from the message; wraps around. */
function nextHit(
  hits: readonly { seq: number }[],
  { at, cursor, by }: { at: number; cursor: number; by: 1 | -1 },
): number {
  if (at >= 0) return (at + by + hits.length) % hits.length;
  const after = hits.findIndex((hit) => hit.seq > cursor);
  if (by === 1) return Math.max(0, after);
  const before = hits.findLastIndex((hit) => hit.seq < cursor);
  return before < 0 ? hits.length - 1 : before;
}

/** Presses the button that expands a message, or the one that collapses it. */
function expandRow(list: HTMLElement | null, seq: number | null): void {
  const row = list?.querySelector(`[aria-posinset="${seq ?? 0}"]`);
  const closed = [...(row?.querySelectorAll<HTMLElement>('[data-expand]') ?? [])];
  const open = [...(row?.querySelectorAll<HTMLElement>('[data-collapse]') ?? [])];
  for (const button of closed.length > 0 ? closed : open) button.click();
}
