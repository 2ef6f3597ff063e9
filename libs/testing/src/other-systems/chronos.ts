import type { Plain } from './plain.js';

/**
 * Chronos's rule: above `threshold` of the limit everything but the newest pairs goes into the summary. "Pairs" are
 * counted as two messages each, whatever those messages are.
 */
export function chronosCut(
  live: readonly Plain[],
  liveTokens: number,
  { limit, threshold, pairs }: { limit: number; threshold: number; pairs: number },
): { due: boolean; keepFrom: number | null } {
  if (liveTokens <= Math.floor(threshold * limit)) return { due: false, keepFrom: null };
  const keepFrom = live.length - 2 * pairs;
  return { due: true, keepFrom: keepFrom > 0 ? keepFrom : null };
}

/** Its estimator: characters by four for each text, rounded up, and four for each message. */
export const chronosEstimate = (texts: readonly string[]): number => {
  let total = 4;
  for (const text of texts) total += Math.ceil(text.length / 4);
  return total;
};
