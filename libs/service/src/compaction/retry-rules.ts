import type { Timing } from '../timing.js';

/** Maximum of failed attempts before a thread is parked. */
export const maxAttempts = 8;
/** Maximum of attempts that never reported an outcome: the thread may be crashing its workers. */
export const maxLostAttempts = 3;

/**
 * The delay after a failed attempt: full jitter over the first delay x 2^n, up to the maximum. `random` is in [0, 1). A
 * delay that a provider asks for is kept in libs/llm/src/provider-gate.ts.
 */
export function backoffMs(
  { firstMs, maxMs }: Timing['failedAttempt'],
  attempt: number,
  random: number,
): number {
  const most = Math.min(maxMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.ceil(most / 2 + (random * most) / 2);
}
