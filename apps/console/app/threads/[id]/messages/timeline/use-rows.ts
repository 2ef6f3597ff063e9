'use client';

import { useEffect, useState, type RefObject } from 'react';
import { useLongList } from '@/ui/lists/use-long-list';

export type LongList = ReturnType<typeof useLongList<HTMLLIElement>>;
type Rows = LongList['rows'];

/** The rows of a thread, of which only the visible ones are rendered. Opens at `start`, or else at the newest. */
export function useRows(scroller: RefObject<HTMLDivElement | null>, lastSeq: number, start: number | null) {
  const [opened, setOpened] = useState(false);
  const list = useLongList<HTMLLIElement>(
    { scroller, total: lastSeq, start: start ?? lastSeq },
    {
      estimateSize: () => 92,
      overscan: 5,
      // Positions are written to the elements, and React renders only when other rows become visible.
      directDomUpdates: true,
      useFlushSync: false,
      // Like a chat: at the end it follows new messages.
      followOnAppend: true,
      scrollEndThreshold: 40,
    },
  );
  const { rows, before, scrollTo } = list;
  useEffect(() => {
    if (start === null) scrollTo(lastSeq, 'end');
    else scrollTo(start, 'center');
    // Only when it opens; afterwards the user scrolls.
  }, []);
  const shown = rows.getVirtualItems();
  const drawn = { first: before + (shown[0]?.index ?? 0) + 1, last: before + (shown.at(-1)?.index ?? 0) + 1 };
  // Before it has scrolled to its start, the rendered rows are the first ones, which nobody sees.
  const [opensAt] = useState(start ?? lastSeq);
  const isInSight = drawn.first <= opensAt && opensAt <= drawn.last;
  const isOpen = opened || isInSight || (rows.scrollOffset ?? 0) > 0;
  useEffect(() => {
    if (isOpen) setOpened(true);
  }, [isOpen]);
  if (isOpen) return { list, drawn, inSight: seqsInSight(rows, before, drawn) };
  const opening = { first: opensAt, last: opensAt };
  return { list, drawn: opening, inSight: opening };
}

/** The visible part of the rendered rows. */
function seqsInSight({ range }: Rows, before: number, drawn: { first: number; last: number }) {
  return range ? { first: before + range.startIndex + 1, last: before + range.endIndex + 1 } : drawn;
}
