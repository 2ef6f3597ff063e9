import { SpillwayError } from '@spillway/engine';
import { RateLimiterRes, type RateLimiterMemory } from 'rate-limiter-flexible';

/** A request over a rate limit. The limit has points again after `retryAfterMs`. */
export class RateLimited extends SpillwayError {
  constructor(
    message: string,
    readonly retryAfterMs: number,
    code: 'too_many_requests' | 'chat_budget_spent' | 'key_budget_spent' = 'too_many_requests',
  ) {
    super(code, message);
  }
}

/** Takes a point of a rate limit. Throws `too_many_requests` with this message when none is left. */
export async function takeOrRefuse(limit: RateLimiterMemory, id: string, message: string): Promise<void> {
  try {
    await limit.consume(id);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new RateLimited(message, error.msBeforeNext);
  }
}
