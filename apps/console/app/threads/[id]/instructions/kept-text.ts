'use client';

import { useSyncExternalStore } from 'react';

/** Instructions that are typed and not added, by thread. Only in memory, which ends with the session: see Frame. */
const texts = new Map<string, string>();
const listeners = new Set<() => void>();

/** What is typed for a thread; it stays while other pages are shown. */
export const useKeptText = (threadId: string): string =>
  useSyncExternalStore(
    subscribe,
    () => texts.get(threadId) ?? '',
    () => '',
  );

/** Keeps what is typed for a thread. While there is any such text, the browser asks before it leaves the document. */
export function keepText(threadId: string, text: string): void {
  if (text === '') texts.delete(threadId);
  else texts.set(threadId, text);
  if (texts.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
  listeners.forEach((listener) => listener());
}

/** Drops the text of a thread that was added; what was typed since stays. */
export function dropText(threadId: string, added: string): void {
  if (texts.get(threadId) === added) keepText(threadId, '');
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
