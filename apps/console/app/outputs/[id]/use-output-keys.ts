'use client';

import { useEffect, useRef } from 'react';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';

interface Keys {
  lines: number;
  line: number | null;
  matches: readonly { line: number }[];
  go: (line: number) => void;
  find: () => void;
}

/** The keys of a pager. After the last match the first one follows. */
export function useOutputKeys({ lines, line, matches, go, find }: Keys): void {
  // Keys may come faster than renders: each continues from the target of the previous one.
  const currentLine = useRef(line ?? 0);
  useEffect(() => {
    currentLine.current = line ?? 0;
  }, [line]);
  const step = (to: number) => {
    currentLine.current = Math.min(lines, Math.max(1, to));
    go(currentLine.current);
  };
  const next = () => {
    const match = matches.find((one) => one.line > currentLine.current) ?? matches[0];
    if (match) step(match.line);
  };
  const previous = () => {
    const match = matches.findLast((one) => one.line < currentLine.current) ?? matches.at(-1);
    if (match) step(match.line);
  };
  useShortcuts('Output', [
    { keys: '/', does: 'Search, or :4120 to go to a line', run: find },
    { keys: 'n', does: 'Next match', run: next },
    { keys: 'N', does: 'Previous match', run: previous },
    { keys: 'j', does: 'Next line', run: () => step(currentLine.current + 1) },
    { keys: 'k', does: 'Previous line', run: () => step(currentLine.current - 1) },
    { keys: 'g g', does: 'First line', run: () => step(1) },
    { keys: 'G', does: 'Last line', run: () => step(lines) },
  ]);
}
