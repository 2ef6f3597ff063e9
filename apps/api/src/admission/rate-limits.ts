import { SpillwayError } from '@spillway/service';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Maximum of concurrent expensive requests of one key. */
const maxHeavy = 4;

export interface Rates {
  /** Requests per second of one key; 0 means no limit. */
  requests: number;
  /** The same for expensive routes. */
  expensive: number;
}

/** Rate limits of one key in this process. */
export class RateLimits {
  private readonly requests: RateLimiterMemory | null;
  private readonly expensive: RateLimiterMemory | null;
  private readonly heavy = new Map<string, number>();

  constructor(rates: Rates) {
    this.requests = limiter(rates.requests);
    this.expensive = limiter(rates.expensive);
  }

  /** Counts a request. Throws `too_many_requests`. */
  async count(keyId: string, isExpensive: boolean): Promise<void> {
    await take(this.requests, keyId, 'requests');
    if (isExpensive) await take(this.expensive, keyId, 'searches, uploads, exports and dry runs');
  }

  /** Begins an expensive request and returns the function that ends it. Throws `too_many_requests`. */
  beginHeavy(keyId: string): () => void {
    const running = this.heavy.get(keyId) ?? 0;
    if (running >= maxHeavy) {
      throw new SpillwayError(
        'too_many_requests',
        `This key has ${maxHeavy} uploads, exports or dry runs in progress, which is its limit. Wait until one ends.`,
      );
    }
    this.heavy.set(keyId, running + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = this.heavy.get(keyId)! - 1;
      if (left > 0) this.heavy.set(keyId, left);
      else this.heavy.delete(keyId);
    };
  }
}

const limiter = (points: number): RateLimiterMemory | null =>
  points === 0 ? null : new RateLimiterMemory({ points, duration: 1 });

async function take(limit: RateLimiterMemory | null, keyId: string, what: string): Promise<void> {
  try {
    await limit?.consume(keyId);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new SpillwayError(
      'too_many_requests',
      `This key sent more than ${limit!.points} ${what} in a second. Try again after Retry-After.`,
    );
  }
}
