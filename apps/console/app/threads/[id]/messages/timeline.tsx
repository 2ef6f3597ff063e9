'use client';

import { IconMessageOff } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Empty } from '@/ui/empty';
import { problemOf } from '@/ui/problem';
import { ProblemPanel } from '@/ui/problem-panel';
import { useQueryString } from '@/ui/query-string';
import type { Coverage } from './coverage';
import { MessageRow } from './message-row';
import classes from './timeline.module.css';
import { TimelineBar } from './timeline-bar';
import { toolTies } from './tool-ties';
import { useMessageBlocks } from './use-message-blocks';

interface Props {
  threadId: string;
  lastSeq: number;
  coverage: Coverage;
}

/** All messages of a thread, of which only those in sight are loaded and drawn. Opens at the newest. */
export function Timeline({ threadId, lastSeq, coverage }: Props) {
  const [params, change] = useQueryString();
  const asked = Number(params.get('seq'));
  const selected = Number.isInteger(asked) && asked >= 1 && asked <= lastSeq ? asked : null;
  const scroller = useRef<HTMLDivElement>(null);
  const [mounted, setMounted] = useState(false);
  const rows = useVirtualizer({
    count: lastSeq,
    getScrollElement: () => scroller.current,
    estimateSize: () => 96,
    overscan: 6,
    getItemKey: (index) => index + 1,
    // Reads like a chat: who is at the end stays there when messages arrive.
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 40,
  });
  const shown = rows.getVirtualItems();
  const first = (shown[0]?.index ?? 0) + 1;
  const last = (shown.at(-1)?.index ?? 0) + 1;
  const { bySeq, error, retry } = useMessageBlocks(
    threadId,
    mounted ? first : lastSeq,
    mounted ? last : lastSeq,
    lastSeq,
  );
  const ties = useMemo(() => toolTies(bySeq), [bySeq]);

  const go = (seq: number) => {
    change({ seq: String(seq) });
    rows.scrollToIndex(seq - 1, { align: 'center' });
  };
  // Only while the list has the focus, so that no key is taken from anything else.
  const press = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, selected ?? last, coverage);
    if (event.target !== event.currentTarget || to === undefined || to < 1 || to > lastSeq) return;
    event.preventDefault();
    go(to);
  };
  useEffect(() => {
    if (selected === null) rows.scrollToIndex(lastSeq - 1, { align: 'end' });
    else rows.scrollToIndex(selected - 1, { align: 'center' });
    setMounted(true);
    // Only where it opens; afterwards the person scrolls.
  }, []);

  if (lastSeq === 0)
    return (
      <Empty icon={IconMessageOff} title="No messages yet">
        They show here as they are recorded.
      </Empty>
    );
  if (error && bySeq.size === 0) return <ProblemPanel problem={problemOf(error)} onRetry={retry} />;
  return (
    <>
      <TimelineBar lastSeq={lastSeq} at={selected ?? last} coverage={coverage} onGo={go} />
      <div
        ref={scroller}
        className={classes.scroller}
        tabIndex={0}
        role="group"
        aria-label="Messages, keys j k [ ]"
        onKeyDown={press}
      >
        <ol className={classes.list} style={{ height: rows.getTotalSize() }}>
          {shown.map((row) => {
            const seq = row.index + 1;
            return (
              <li
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                className={classes.item}
                style={{ transform: `translateY(${row.start}px)` }}
                aria-setsize={lastSeq}
                aria-posinset={seq}
              >
                <MessageRow
                  seq={seq}
                  message={bySeq.get(seq)}
                  coverage={coverage}
                  ties={ties}
                  selected={seq === selected}
                  onGo={go}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

function keyTarget(key: string, at: number, coverage: Coverage): number | undefined {
  if (key === 'j') return at + 1;
  if (key === 'k') return at - 1;
  if (key === '[') return coverage.cutBefore(at);
  if (key === ']') return coverage.cutAfter(at);
  return undefined;
}
