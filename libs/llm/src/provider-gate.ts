import {
  BrokenCircuitError,
  circuitBreaker,
  handleWhen,
  SamplingBreaker,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { SummarizerError, type SummarizerFailure } from './summarizer.js';

/** When half of at least ten calls in a minute failed, the breaker opens; after a while one call tries. */
const breakerRule = { threshold: 0.5, duration: 60_000, minimumRps: 10 / 60 };

/** Delays for a failing provider. */
export interface ProviderWaits {
  /** The breaker stays open this long. */
  breakerMs: number;
  /** Delay after the first failure in a row; doubles with each further one. */
  firstMs: number;
  /** Maximum delay: a thread resumes this soon after an outage. */
  maxMs: number;
}
export const providerWaits: ProviderWaits = { breakerMs: 30_000, firstMs: 2_000, maxMs: 60_000 };

/** Retry budget: this many per minute, and one more per successful call. */
const triesAMinute = 10;

/** Failures of the provider. All others are about the request. */
const itsTrouble: readonly SummarizerFailure[] = ['unavailable', 'rate_limited'];
export const isProviderTrouble = (failure: SummarizerFailure): boolean =>
  failure === 'paused' || itsTrouble.includes(failure);

/**
 * Limits the calls of one project to one model, so that waiting threads do not multiply an outage: a circuit breaker,
 * the provider's Retry-After, and a retry budget. A blocked call fails with `paused` and the time to wait; no request
 * is sent.
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

  /** `attempt` counts from 1. Throws what `call` throws, with a delay when the provider is failing. */
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
    // Jitter, so that waiting calls do not resume at once.
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
