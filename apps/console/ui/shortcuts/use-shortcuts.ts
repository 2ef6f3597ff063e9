'use client';

import { useEffect, useRef } from 'react';
import type { Shortcut } from './shortcut';
import { addTable } from './shortcut-tables';

/**
 * Shortcuts of a page while it is shown: active outside of fields, listed in the sheet of `?` under `title`. Entries
 * may change on every render; the newest apply.
 */
export function useShortcuts(title: string, entries: readonly Shortcut[]): void {
  const newest = useRef(entries);
  useEffect(() => {
    newest.current = entries;
  });
  useEffect(() => addTable({ title, entries: () => newest.current }), [title]);
}
