/** A webhook is disabled when no delivery succeeded for this long. */
export const disableAfterMs = 5 * 24 * 3_600_000;

/** Ms until the next attempt, or null after the last one. `chance` is from 0 to 1 and adds jitter. */
export function retryInMs(waits: readonly number[], attempts: number, chance: number): number | null {
  const wait = waits[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 + chance * 0.2));
}
