'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState, type RefObject } from 'react';

export type Rows = ReturnType<typeof useVirtualizer<HTMLDivElement, HTMLLIElement>>;

/** The rows of a thread, of which only those in sight are drawn. Opens at `start`, or else at the newest. */
export function useRows(scroller: RefObject<HTMLDivElement | null>, lastSeq: number, start: number | null) {
  const [opened, setOpened] = useState(false);
  const rows: Rows = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: lastSeq,
    getScrollElement: () => scroller.current,
    estimateSize: () => 92,
    overscan: 5,
    getItemKey: (index) => index + 1,
    // Positions are written to the elements, and React draws only when other rows come into sight.
    directDomUpdates: true,
    useFlushSync: false,
    // Reads like a chat: who is at the end stays there when messages arrive.
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 40,
  });
  useEffect(() => {
    if (start === null) rows.scrollToIndex(lastSeq - 1, { align: 'end' });
    else rows.scrollToIndex(start - 1, { align: 'center' });
    setOpened(true);
    // Only where it opens; afterwards the person scrolls.
  }, []);
  const shown = rows.getVirtualItems();
  const drawn = { first: (shown[0]?.index ?? 0) + 1, last: (shown.at(-1)?.index ?? 0) + 1 };
  // Before it has scrolled to where it opens, what it draws is not what will be looked at.
  const opening = { first: start ?? lastSeq, last: start ?? lastSeq };
  const inSight = opened ? seqsInSight(rows, drawn) : opening;
  return { rows, drawn: opened ? drawn : opening, inSight };
}

/** Of what is drawn, what can be seen. */
function seqsInSight(rows: Rows, drawn: { first: number; last: number }): { first: number; last: number } {
  const range = rows.range;
  return range ? { first: range.startIndex + 1, last: range.endIndex + 1 } : drawn;
}
