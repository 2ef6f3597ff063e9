/** A webhook that got nothing through for this long is disabled. */
export const patienceMs = 5 * 24 * 3_600_000;

/** Ms until the next attempt, or null when it was the last. `chance` is from 0 to 1: not all come back at once. */
export function retryInMs(waits: readonly number[], attempts: number, chance: number): number | null {
  const wait = waits[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 + chance * 0.2));
}
