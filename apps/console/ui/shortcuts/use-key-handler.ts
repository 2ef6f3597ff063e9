'use client';

import { useEffect } from 'react';
import { currentTables } from './shortcut-tables';
import { singleKeysOn } from './single-keys';

/** How long a first key (`g`) waits for its second. */
const sequenceMs = 1_500;

/** Listens to the keyboard for all tables. Keys that were typed into a field, or meant for a dialog, are left alone. */
export function useKeyHandler(): void {
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (isShift(event.key) || meantForOthers(event)) return;
      if (event.key.length === 1 && !singleKeysOn()) return;
      const begun = first && Date.now() - first.at < sequenceMs ? first.key : null;
      first = null;
      const entries = currentTables()
        .toReversed()
        .flatMap((table) => table.entries());
      const keys = begun === null ? event.key : `${begun} ${event.key}`;
      const found =
        entries.find((entry) => entry.keys === keys) ?? entries.find((entry) => entry.keys === event.key);
      if (found?.run) {
        event.preventDefault();
        found.run();
      } else if (entries.some((entry) => entry.keys.startsWith(`${event.key} `))) {
        first = { key: event.key, at: Date.now() };
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const isShift = (key: string): boolean => key === 'Shift' || key === 'CapsLock';

function meantForOthers(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (!target) return false;
  if (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]'))
    return true;
  // Enter and space press what has the focus.
  return (
    (event.key === 'Enter' || event.key === ' ') &&
    target.closest('a, button, summary, [role="tab"]') !== null
  );
}
