const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after its nth failure a delivery is tried again: for two days all in all. */
const waits = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour, 12 * hour, 12 * hour],
];

/** A webhook that got nothing through for this long is disabled. */
export const patienceMs = 5 * 24 * hour;

/** Ms until the next attempt, or null when it was the last. `chance` is from 0 to 1: not all come back at once. */
export function retryInMs(attempts: number, chance: number): number | null {
  const wait = waits[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 + chance * 0.2));
}
