'use client';

import { useEffect } from 'react';
import { press } from './sequence';
import { currentTables } from './shortcut-tables';
import { singleKeysOn } from './single-keys';

/** Handles keys for all tables. Ignores keys in fields and dialogs. */
export function useKeyHandler(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (isShift(event.key) || meantForOthers(event)) return;
      if (event.key.length === 1 && !singleKeysOn()) return;
      const entries = currentTables()
        .toReversed()
        .flatMap((table) => table.entries());
      const found = press(event.key, entries, event.timeStamp);
      if (!found) return;
      event.preventDefault();
      found.run?.();
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
  // Enter and space press the focused element.
  return (
    (event.key === 'Enter' || event.key === ' ') &&
    target.closest('a, button, summary, [role="tab"]') !== null
  );
}
