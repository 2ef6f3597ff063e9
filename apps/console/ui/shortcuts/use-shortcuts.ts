'use client';

import { useEffect, useRef } from 'react';
import type { Shortcut } from './shortcut';
import { addTable } from './shortcut-tables';

/**
 * Shortcuts of a page, while it is shown: they work outside of fields, appear in the sheet that `?` opens under
 * `title`, and go with the page. Entries may be new on every render; the newest are used.
 */
export function useShortcuts(title: string, entries: readonly Shortcut[]): void {
  const newest = useRef(entries);
  useEffect(() => {
    newest.current = entries;
  });
  useEffect(() => addTable({ title, entries: () => newest.current }), [title]);
}
