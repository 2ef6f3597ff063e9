import { setTimeout as sleep } from 'node:timers/promises';
import { isProviderTrouble } from './provider-gate.js';
import { SummarizerError } from './summarizer.js';

/** Maximum time from the first failure on, in ms. */
const maxWaitMs = 30_000;

/**
 * Makes the call again after each delay that the provider's trouble calls for, as long as all of them end within half a
 * minute. Throws any other error, and one whose delay ends later. An aborted signal ends a delay with an error.
 */
export async function withShortWaits<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let until: number | undefined;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const ms = delayOf(error);
      until ??= performance.now() + maxWaitMs;
      if (ms === null || performance.now() + ms > until) throw error;
      await sleep(ms, undefined, { signal });
    }
  }
}

/** In ms; null for a failure that no delay mends. */
const delayOf = (error: unknown): number | null =>
  error instanceof SummarizerError && isProviderTrouble(error.failure) ? error.retryAfterMs : null;
