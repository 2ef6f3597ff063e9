'use client';

import { useVirtualizer, type VirtualizerOptions } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { isWellWithin, rowsBefore, windowRows } from './list-window';

type Align = 'start' | 'center' | 'end' | 'auto';

interface List {
  scroller: RefObject<HTMLDivElement | null>;
  total: number;
  /** The row that is in view at first, counted from 1. */
  start: number;
}

type Options<Item extends Element> = Pick<
  VirtualizerOptions<HTMLDivElement, Item>,
  'estimateSize' | 'overscan' | 'followOnAppend' | 'scrollEndThreshold'
> & { directDomUpdates?: boolean; useFlushSync?: boolean };

/**
 * Virtualized rows of a list of any length, of which a window is laid out. `before` is the number of rows before it.
 * Scrolling leads through the whole list: at rest near an edge the window moves, and what is in view stays in its place.
 */
export function useLongList<Item extends Element>({ scroller, total, start }: List, options: Options<Item>) {
  const [before, setBefore] = useState(() => rowsBefore(start));
  const aim = useRef<{ row: number; align: Align }>(undefined);
  const count = Math.min(windowRows, total - before);
  const rows = useVirtualizer<HTMLDivElement, Item>({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => before + index + 1, [before]),
    // Finds what is in view by its key after the window has moved.
    anchorTo: 'end',
    ...options,
  });
  const scrollTo = useCallback(
    (row: number, align: Align) => {
      if (isWellWithin(row, before)) return rows.scrollToIndex(row - before - 1, { align });
      // What is in view is elsewhere, so that no scrolling is least.
      aim.current = { row, align: align === 'auto' ? 'center' : align };
      setBefore(rowsBefore(row));
    },
    [before, rows],
  );
  useLayoutEffect(() => {
    if (aim.current) rows.scrollToIndex(aim.current.row - before - 1, { align: aim.current.align });
    aim.current = undefined;
  }, [before, rows]);
  const onScrollEnd = () => {
    const element = scroller.current;
    if (!element || aim.current) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const inView = rows.getVirtualItemForOffset(scrollTop);
    // Only a scroll bar leads that far: its ends are those of the list.
    if (scrollTop < clientHeight && before > 0) scrollTo(1, 'start');
    else if (scrollTop + 2 * clientHeight > scrollHeight && before + count < total) scrollTo(total, 'end');
    else if (inView && !isWellWithin(before + inView.index + 1, before))
      setBefore(rowsBefore(before + inView.index + 1));
  };
  // A browser would scroll to the ends of the window.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || count === total) return;
    if (event.key === 'Home') scrollTo(1, 'start');
    else if (event.key === 'End') scrollTo(total, 'end');
    else return;
    event.preventDefault();
  };
  return { rows, before, scrollTo, onScrollEnd, onKeyDown };
}
