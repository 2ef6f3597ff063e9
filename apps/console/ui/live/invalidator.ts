import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { refetchStale } from './refetch-stale';
import { isRateLimited, staleKeys } from './stale-keys';
import type { LiveEvent } from './event-source';

/** Events in a burst cause one refetch: the first after a pause is almost immediate, later ones wait. */
const firstMs = 30;
const gatherMs = 150;
/** Minimum interval between refetches that are rate limited. */
const listsMs = 1_500;

export interface Invalidator {
  take(event: LiveEvent): void;
  stop(): void;
}

/** Makes TanStack Query refetch what events made stale; only mounted queries are fetched. */
export function invalidator(queries: QueryClient): Invalidator {
  const grown = new Map<string, LiveEvent>();
  const due = new Map<string, { key: QueryKey; at: number }>();
  const asked = new Map<string, number>();
  let flushedAt = -gatherMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    const now = performance.now();
    flushedAt = now;
    grown.forEach((event) => grow(queries, event));
    grown.clear();
    let nextAt = Infinity;
    for (const [name, { key, at }] of due) {
      if (at > now) {
        nextAt = Math.min(nextAt, at);
        continue;
      }
      due.delete(name);
      if (isRateLimited(key)) asked.set(name, now);
      refetchStale(queries, key);
    }
    // Otherwise there would be one for each thread of the project.
    for (const [name, at] of asked) if (now - at >= listsMs) asked.delete(name);
    if (nextAt < Infinity) timer = setTimeout(flush, nextAt - now);
  }

  return {
    take(event) {
      const now = performance.now();
      if (event.type === 'message.recorded') grown.set(event.thread_id, event);
      for (const key of staleKeys(event)) {
        const name = JSON.stringify(key);
        if (due.has(name)) continue;
        const earliest = isRateLimited(key) ? (asked.get(name) ?? -listsMs) + listsMs : 0;
        due.set(name, { key, at: Math.max(now + firstMs, flushedAt + gatherMs, earliest) });
      }
      clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, Math.min(...[...due.values()].map(({ at }) => at)) - now));
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * An event of new messages says how far the thread goes by now, so its messages and context are asked for at once and
 * not after its row came back, which then says the same.
 */
function grow(queries: QueryClient, { thread_id: id, timestamp, data }: LiveEvent): void {
  const { to_seq: lastSeq, live_tokens: liveTokens } = data;
  queries.setQueryData<Schemas['Thread']>(['thread', id], (thread) => {
    if (!thread || typeof lastSeq !== 'number' || typeof liveTokens !== 'number') return undefined;
    if (lastSeq <= thread.last_seq) return thread;
    const seqs = { last_seq: lastSeq, recorded_seq: lastSeq };
    return { ...thread, ...seqs, live_tokens: liveTokens, updated_at: timestamp };
  });
}
