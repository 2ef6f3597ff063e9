import type { Schemas } from '@spillway/client';

type Attempt = Pick<Schemas['CompactionAttempt'], 'reason' | 'error' | 'started_at'>;

export interface ErrorGroup {
  reason: string | null;
  error: string;
  count: number;
  lastAt: string;
}

/** Equal errors with their count and the time of the last; the most frequent first. */
export function groupErrors(attempts: readonly Attempt[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const { reason, error, started_at: at } of attempts) {
    if (error === null) continue;
    const key = `${reason} ${error}`;
    const known = groups.get(key);
    if (!known) groups.set(key, { reason, error, count: 1, lastAt: at });
    else {
      known.count++;
      if (at > known.lastAt) known.lastAt = at;
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.lastAt < b.lastAt ? 1 : -1));
}
