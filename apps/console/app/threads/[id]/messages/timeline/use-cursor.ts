'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useQueryString } from '@/ui/lists/query-string';
import { wholeIn } from '../../pressure/whole-in';

/** How long the cursor rests before the URL changes: browsers limit the rate. */
const restMs = 250;

/**
 * The current message and its place in the URL. It moves at once and the URL follows. `onJump` is called when the URL
 * changes by itself, so that the list can scroll there.
 */
export function useCursor(lastSeq: number, onJump: (seq: number) => void) {
  const [params, change] = useQueryString();
  const asked = wholeIn(params.get('seq'), lastSeq);
  const [cursor, setCursor] = useState(asked);
  const written = useRef(asked);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const move = useCallback(
    (seq: number) => {
      setCursor(seq);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        written.current = seq;
        change({ seq: String(seq) });
      }, restMs);
    },
    [change],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (asked === null || asked === written.current) return;
    written.current = asked;
    setCursor(asked);
    onJump(asked);
    // Only when the URL has a new value.
  }, [asked]);
  return [cursor, move] as const;
}
