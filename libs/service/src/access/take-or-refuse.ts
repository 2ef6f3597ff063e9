import { SpillwayError } from '@spillway/engine';
import { RateLimiterRes, type RateLimiterMemory } from 'rate-limiter-flexible';

/** Takes a point of a rate limit. Throws `too_many_requests` with this message when none is left. */
export async function takeOrRefuse(limit: RateLimiterMemory, id: string, message: string): Promise<void> {
  try {
    await limit.consume(id);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new SpillwayError('too_many_requests', message);
  }
}
