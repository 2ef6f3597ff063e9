import type { Plain } from './plain.js';

/**
 * Dawn's rule, from its documentation alone: above `maxTokens` everything before the `keepRecentTurns` newest turns
 * goes into the summary; a turn starts at a human message. With fewer turns than that there is nothing to summarize.
 */
export function dawnCut(
  live: readonly Plain[],
  liveTokens: number,
  { maxTokens, keepRecentTurns }: { maxTokens: number; keepRecentTurns: number },
): { due: boolean; keepFrom: number | null } {
  if (liveTokens < maxTokens) return { due: false, keepFrom: null };
  let turns = 0;
  for (let i = live.length - 1; i >= 0; i--) {
    if (live[i]!.role !== 'user') continue;
    turns = turns + 1;
    if (turns === keepRecentTurns) return { due: true, keepFrom: i };
  }
  return { due: true, keepFrom: null };
}
