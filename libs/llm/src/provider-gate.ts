import {
  BrokenCircuitError,
  circuitBreaker,
  handleWhen,
  SamplingBreaker,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { SummarizerError, type SummarizerFailure } from './summarizer.js';

/** Half of at least ten calls a minute failed: for a while nothing is asked, then one call tries. */
const breakerRule = { threshold: 0.5, duration: 60_000, minimumRps: 10 / 60 };

/** How long a provider in trouble is left alone. */
export interface ProviderWaits {
  /** The breaker stays open this long. */
  breakerMs: number;
  /** After the first failure in a row, doubled with each further one. */
  firstMs: number;
  /** At most: a thread resumes this long after an outage at the latest. */
  maxMs: number;
}
export const providerWaits: ProviderWaits = { breakerMs: 30_000, firstMs: 2_000, maxMs: 60_000 };

/** Second tries, at most: this many a minute, and one more for each call that succeeded. */
const triesAMinute = 10;

/** Failures of the provider, whatever it was asked. Others are about the question. */
const itsTrouble: readonly SummarizerFailure[] = ['unavailable', 'rate_limited'];
export const isProviderTrouble = (failure: SummarizerFailure): boolean =>
  failure === 'paused' || itsTrouble.includes(failure);

/**
 * Limits the calls of one project to one model, so that an outage is not multiplied by every thread that waits: a
 * circuit breaker, the provider's Retry-After, and a budget of second tries. A call that it holds back fails with
 * `paused` and the time to wait; the provider was not asked.
 */
export class ProviderGate {
  private pausedUntil = 0;
  private failuresInARow = 0;
  private tries = triesAMinute;
  private triedAt: number;
  private readonly breaker: CircuitBreakerPolicy;

  constructor(
    private readonly waits: ProviderWaits = providerWaits,
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {
    this.triedAt = now();
    this.breaker = circuitBreaker(
      handleWhen((error) => error instanceof SummarizerError && itsTrouble.includes(error.failure)),
      { halfOpenAfter: waits.breakerMs, breaker: new SamplingBreaker(breakerRule) },
    );
  }

  /** `attempt` counts from 1. Throws what `call` throws, with a time to wait when the provider is in trouble. */
  async pass<T>(attempt: number, call: () => Promise<T>): Promise<T> {
    const paused = this.pausedUntil - this.now();
    if (paused > 0) throw this.paused('The provider asked to be left alone for now.', paused);
    if ((attempt > 1 || this.failuresInARow > 0) && !this.takeTry())
      throw this.paused('Enough second tries for this minute.', 60_000 / triesAMinute);
    try {
      const answer = await this.breaker.execute(call);
      this.failuresInARow = 0;
      this.tries = Math.min(this.tries + 1, 100 * triesAMinute);
      return answer;
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw this.paused('The provider fails; it is tried again shortly.', this.waits.breakerMs);
      throw this.noted(error);
    }
  }

  private noted(error: unknown): unknown {
    if (!(error instanceof SummarizerError) || !itsTrouble.includes(error.failure)) return error;
    const asked = error.retryAfterMs ?? 0;
    if (asked > 0) this.pausedUntil = Math.max(this.pausedUntil, this.now() + asked);
    const most = Math.min(this.waits.maxMs, this.waits.firstMs * 2 ** Math.min(this.failuresInARow++, 10));
    const wait = Math.max(asked, this.jittered(most));
    return new SummarizerError(error.failure, error.message, wait, { cause: error });
  }

  private paused(why: string, waitMs: number): SummarizerError {
    // Spread, so that what waited does not come back all at once.
    return new SummarizerError('paused', why, waitMs + this.jittered(Math.min(waitMs, 5_000)));
  }

  private jittered = (ms: number): number => Math.ceil(ms / 2 + (this.random() * ms) / 2);

  private takeTry(): boolean {
    const now = this.now();
    const earned = ((now - this.triedAt) / 60_000) * triesAMinute;
    this.triedAt = now;
    this.tries = Math.max(this.tries, Math.min(triesAMinute, this.tries + earned));
    if (this.tries < 1) return false;
    this.tries--;
    return true;
  }
}
