import type { Timing } from '../timing.js';

/** Attempts that failed and said so, before a person has to look. */
export const maxAttempts = 8;
/** Attempts that never reported back: the thread may be killing its workers. */
export const maxLostAttempts = 3;

/**
 * How long to wait after an attempt that failed by itself: jitter over the first wait x 2^n, up to the longest one.
 * `random` is in [0, 1). What a provider asks for is waited for in libs/llm/src/provider-gate.ts.
 */
export function backoffMs(
  { firstMs, maxMs }: Timing['failedAttempt'],
  attempt: number,
  random: number,
): number {
  const most = Math.min(maxMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.ceil(most / 2 + (random * most) / 2);
}
