'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';
import { filtersText, type ThreadFilters } from '../filters/thread-filters';
import { ThreadHead } from './thread-head';
import classes from './thread-list.module.css';
import { threadPath } from '../thread-path';
import { ThreadRow } from './thread-row';
import type { useThreadPages } from '../use-thread-pages';

interface Props {
  pages: ReturnType<typeof useThreadPages>;
  filters: ThreadFilters;
  /** The total, once counted. */
  total: number | undefined;
  /** Two-line rows for phones. */
  narrow: boolean;
  onSort: Parameters<typeof ThreadHead>[0]['onSort'];
}

/** Rows loaded ahead of the visible ones. */
const ahead = 40;

export function ThreadList({ pages, filters, total, narrow, onSort }: Props) {
  const { threads, known, complete, look } = pages;
  const router = useRouter();
  const scroller = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const rows = useVirtualizer({
    count: complete ? known : known + 1,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow ? 66 : 34),
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const start = shown[0]?.index ?? 0;
  const end = shown.at(-1)?.index ?? 0;
  useEffect(() => look(start - ahead, end + ahead), [look, start, end]);

  // The current index of the selected thread, which may have moved.
  const selectedIndex = useRef(-1);
  let isShown = false;
  for (const [index, thread] of threads) {
    if (thread.id !== selected) continue;
    selectedIndex.current = index;
    isShown = true;
  }
  // Another thread took its place, or the list ends before it. One that is only scrolled out of view stays selected.
  const place = selectedIndex.current;
  const isGone = selected !== null && !isShown && (threads.has(place) || (complete && place >= known));
  useEffect(() => {
    if (isGone) drop();
  }, [isGone]);
  const select = (index: number) => {
    const at = Math.max(0, Math.min(known - 1, index));
    const thread = threads.get(at);
    if (!thread) return;
    selectedIndex.current = at;
    setSelected(thread.id);
    rows.scrollToIndex(at);
  };
  const open = () => {
    if (selected !== null && !isGone) router.push(threadPath(selected));
  };
  const drop = () => {
    selectedIndex.current = -1;
    setSelected(null);
  };
  // Another filter or order starts at the top. The header stays, and keeps the focus.
  const text = filtersText(filters);
  const shownText = useRef(text);
  useEffect(() => {
    if (shownText.current === text) return;
    shownText.current = text;
    drop();
    scroller.current?.scrollTo({ top: 0 });
  }, [text]);
  const next = () => select(selectedIndex.current < 0 ? start : selectedIndex.current + 1);
  const previous = () => select(selectedIndex.current < 0 ? start : selectedIndex.current - 1);
  useShortcuts('Threads', [
    { keys: 'j', does: 'Next thread', run: next },
    { keys: 'k', does: 'Previous thread', run: previous },
    { keys: 'ArrowDown', does: 'Next thread', run: next },
    { keys: 'ArrowUp', does: 'Previous thread', run: previous },
    { keys: 'Enter', does: 'Open the selected thread', run: open },
    { keys: 'Escape', does: 'Select none', run: drop },
  ]);
  return (
    <div ref={scroller} className={classes.scroller} tabIndex={0} role="group" aria-label="Threads">
      <div
        role="table"
        aria-label="Threads"
        aria-rowcount={total === undefined ? -1 : total + 1}
        className={classes.table}
        data-sort={filters.sort}
      >
        <div role="rowgroup" className={classes.headGroup}>
          <ThreadHead filters={filters} hidden={narrow} onSort={onSort} />
        </div>
        <div role="rowgroup" className={classes.sheet} style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start: top }) => {
            const thread = threads.get(index);
            return (
              <div
                key={thread?.id ?? index}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={thread !== undefined && thread.id === selected}
                className={`${classes.row} ${classes.body}`}
                style={{ transform: `translateY(${top}px)` }}
                onClick={() => thread && setSelected(thread.id)}
              >
                {thread ? (
                  <ThreadRow thread={thread} sort={filters.sort} narrow={narrow} />
                ) : (
                  <span role="cell" className={classes.waiting}>
                    <span className={classes.bone} />
                    <span className={classes.unseen}>Loading</span>
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
