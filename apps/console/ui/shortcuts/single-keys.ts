'use client';

import { useSyncExternalStore } from 'react';

/** Whether single-key shortcuts are enabled: users of speech input may disable them (WCAG 2.1.4). */
const name = 'spillway.single-keys';
const listeners = new Set<() => void>();

export const singleKeysOn = (): boolean => window.localStorage.getItem(name) !== 'off';

export function switchSingleKeys(on: boolean): void {
  if (on) window.localStorage.removeItem(name);
  else window.localStorage.setItem(name, 'off');
  listeners.forEach((listener) => listener());
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, singleKeysOn, () => true);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
