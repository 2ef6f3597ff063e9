'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState, type RefObject } from 'react';

export type Rows = ReturnType<typeof useVirtualizer<HTMLDivElement, HTMLLIElement>>;

/** The rows of a thread, of which only the visible ones are rendered. Opens at `start`, or else at the newest. */
export function useRows(scroller: RefObject<HTMLDivElement | null>, lastSeq: number, start: number | null) {
  const [opened, setOpened] = useState(false);
  const rows: Rows = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: lastSeq,
    getScrollElement: () => scroller.current,
    estimateSize: () => 92,
    overscan: 5,
    getItemKey: (index) => index + 1,
    // Positions are written to the elements, and React renders only when other rows become visible.
    directDomUpdates: true,
    useFlushSync: false,
    // Like a chat: at the end it follows new messages.
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 40,
  });
  useEffect(() => {
    if (start === null) rows.scrollToIndex(lastSeq - 1, { align: 'end' });
    else rows.scrollToIndex(start - 1, { align: 'center' });
    setOpened(true);
    // Only when it opens; afterwards the user scrolls.
  }, []);
  const shown = rows.getVirtualItems();
  const drawn = { first: (shown[0]?.index ?? 0) + 1, last: (shown.at(-1)?.index ?? 0) + 1 };
  // Before it has scrolled to its start, the rendered rows are not the visible ones.
  const opening = { first: start ?? lastSeq, last: start ?? lastSeq };
  const inSight = opened ? seqsInSight(rows, drawn) : opening;
  return { rows, drawn: opened ? drawn : opening, inSight };
}

/** The visible part of the rendered rows. */
function seqsInSight(rows: Rows, drawn: { first: number; last: number }): { first: number; last: number } {
  const range = rows.range;
  return range ? { first: range.startIndex + 1, last: range.endIndex + 1 } : drawn;
}
