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
    setOpened(true);
    // Only when it opens; afterwards the user scrolls.
  }, []);
  const shown = rows.getVirtualItems();
  const drawn = { first: before + (shown[0]?.index ?? 0) + 1, last: before + (shown.at(-1)?.index ?? 0) + 1 };
  // Before it has scrolled to its start, the rendered rows are not the visible ones.
  const opening = { first: start ?? lastSeq, last: start ?? lastSeq };
  const inSight = opened ? seqsInSight(rows, before, drawn) : opening;
  return { list, drawn: opened ? drawn : opening, inSight };
}

/** The visible part of the rendered rows. */
function seqsInSight({ range }: Rows, before: number, drawn: { first: number; last: number }) {
  return range ? { first: before + range.startIndex + 1, last: before + range.endIndex + 1 } : drawn;
}
