'use client';

import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';

interface Keys {
  lines: number;
  line: number | null;
  matches: readonly { line: number }[];
  go: (line: number) => void;
  find: () => void;
}

/** The keys of a pager. After the last match comes the first again. */
export function useOutputKeys({ lines, line, matches, go, find }: Keys): void {
  const at = line ?? 0;
  const next = matches.find((match) => match.line > at) ?? matches[0];
  const previous = matches.findLast((match) => match.line < at) ?? matches.at(-1);
  useShortcuts('Output', [
    { keys: '/', does: 'Search, or :4120 to go to a line', run: find },
    { keys: 'n', does: 'Next match', run: () => next && go(next.line) },
    { keys: 'N', does: 'Previous match', run: () => previous && go(previous.line) },
    { keys: 'j', does: 'Next line', run: () => go(at + 1) },
    { keys: 'k', does: 'Previous line', run: () => go(at - 1) },
    { keys: 'g g', does: 'First line', run: () => go(1) },
    { keys: 'G', does: 'Last line', run: () => go(lines) },
  ]);
}
