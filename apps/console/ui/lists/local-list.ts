'use client';

import { useSyncExternalStore } from 'react';

/**
 * A list in the browser's storage. Its content may be anything, such as an older version's: `isItem` filters it.
 * Without storage (private windows) the list is empty.
 */
export function localList<T>(name: string, isItem: (item: unknown) => item is T) {
  const listeners = new Set<() => void>();
  const nothing: readonly T[] = [];
  let raw: string | null = null;
  let list: readonly T[] = nothing;

  const read = (): readonly T[] => {
    const stored = window.localStorage.getItem(name);
    if (stored !== raw) {
      raw = stored;
      list = itemsOf(stored, isItem);
    }
    return list;
  };
  const write = (items: readonly T[]): void => {
    window.localStorage.setItem(name, JSON.stringify(items));
    listeners.forEach((listener) => listener());
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  };
  return { read, write, use: () => useSyncExternalStore(subscribe, read, () => nothing) };
}

function itemsOf<T>(stored: string | null, isItem: (item: unknown) => item is T): readonly T[] {
  try {
    const parsed: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isItem) : [];
  } catch {
    return [];
  }
}
