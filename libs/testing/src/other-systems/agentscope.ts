import type { Plain } from './plain.js';

/**
 * AgentScope's rule: at `triggerRatio` of the window the newest messages within `reserveRatio` of it stay. A call and
 * its results are never parted: a result whose call would be summarized is summarized as well, until nothing changes.
 * When that leaves nothing to summarize, it is tried again with a reserve of 0.
 */
export function agentScopeCut(
  live: readonly Plain[],
  liveTokens: number,
  { window, triggerRatio, reserveRatio }: { window: number; triggerRatio: number; reserveRatio: number },
): { due: boolean; keepFrom: number | null } {
  if (liveTokens < Math.floor(triggerRatio * window)) return { due: false, keepFrom: null };
  for (const reserve of [Math.floor(reserveRatio * window), 0]) {
    const keepFrom = together(live, newestWithin(live, reserve));
    if (keepFrom > 0) return { due: true, keepFrom };
  }
  return { due: true, keepFrom: null };
}

function newestWithin(live: readonly Plain[], reserve: number): number {
  let from = live.length;
  let used = 0;
  while (from > 0 && used + live[from - 1]!.tokens <= reserve) {
    from--;
    used += live[from]!.tokens;
  }
  return from;
}

function together(live: readonly Plain[], start: number): number {
  let from = start;
  for (;;) {
    const late = live.findLastIndex((_, i) => i >= from && isParted(live, i, from));
    if (late < 0) return from;
    from = late + 1;
  }
}

/** Is this a result whose call, the last one of that id before it, would be summarized? */
function isParted(live: readonly Plain[], at: number, from: number): boolean {
  const id = live[at]!.answers;
  if (id === null) return false;
  const call = live.findLastIndex((message, i) => i < at && message.calls.includes(id));
  return call >= 0 && call < from;
}
