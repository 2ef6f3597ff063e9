import { SpillwayError, type ErrorCode } from '@spillway/engine';
import { asUnavailable } from '@spillway/store';
import { asUnreadable } from '../outputs/storage-unavailable.js';
import type { Timing } from '../timing.js';

/** Maximum of failed attempts before a thread is parked. */
export const maxAttempts = 8;
/** Maximum of attempts that never reported an outcome: the thread may be crashing its workers. */
export const maxLostAttempts = 3;

/**
 * The delay after a failed attempt: the first delay x 2^n, up to the maximum, of which a random part of at most half is
 * taken off. `random` is in [0, 1). A delay that a provider asks for is kept in libs/llm/src/provider-gate.ts.
 */
export function backoffMs(
  { firstMs, maxMs }: Timing['failedAttempt'],
  attempt: number,
  random: number,
): number {
  const longestMs = Math.min(maxMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.ceil(longestMs / 2 + (random * longestMs) / 2);
}

const passing = new Set<ErrorCode>([
  'database_unavailable',
  'storage_unavailable',
  'overloaded',
  // Another transaction holds the row of the thread for longer than a statement waits.
  'thread_busy',
]);

/** Whether an attempt failed for an outage or for others at work, whoever reports it: the same may succeed later. */
export function isPassing(error: unknown): boolean {
  const known = asUnreadable(asUnavailable(error));
  return known instanceof SpillwayError && passing.has(known.code);
}
