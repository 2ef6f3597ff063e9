'use client';

import { useSyncExternalStore } from 'react';
import { exactTime } from './exact-time';
import { roughDuration } from './quantity';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let current = 0;

/** One timer for all times on a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    current = Date.now();
    listeners.forEach((tell) => tell());
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Ticking milliseconds since the epoch; 0 on the server, whose clock must not end up in the markup. */
export const useNow = (): number =>
  useSyncExternalStore(
    subscribe,
    () => (current ||= Date.now()),
    () => 0,
  );

/** `4 min ago`, with the exact time in the title, or a title that says more. */
export function TimeAgo({ at, title = exactTime(at) }: { at: string; title?: string }) {
  const now = useNow();
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={title} className="num">
      {now === 0 ? at.slice(0, 10) : sayAgo(now - time)}
    </time>
  );
}

const sayAgo = (ms: number): string => {
  if (ms < -1000) return `in ${roughDuration(-ms)}`;
  if (ms < 5000) return 'now';
  return `${roughDuration(Math.floor(ms / 1000) * 1000)} ago`;
};
