import { HeldAmounts, SpillwayError, takeOrRefuse, type CallerRow, type Rates } from '@spillway/service';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Maximum of concurrent expensive requests of one key, and of one thread token. */
const maxHeavy = { key: 4, token: 2 };

/** The share of its key's rates that one thread token may use, so that an agent cannot use them all. */
const tokenShare = 0.1;

type RateOwner = Pick<CallerRow, 'keyId' | 'token'>;

/** Rate limits of one key in this process. A request with a thread token counts for the token and for its key. */
export class RateLimits {
  private readonly ofKey: Limiters;
  private readonly ofToken: Limiters;
  private readonly heavy = new HeldAmounts();

  constructor({ requests, expensive }: Rates) {
    this.ofKey = limitersOf({ requests, expensive });
    this.ofToken = limitersOf({
      requests: Math.ceil(requests * tokenShare),
      expensive: Math.ceil(expensive * tokenShare),
    });
  }

  /** Counts a request. Throws `too_many_requests`. */
  async count(owner: RateOwner, isExpensive: boolean): Promise<void> {
    for (const { limiters, ...one } of this.ownersOf(owner)) {
      await take(limiters.requests, one, 'requests');
      if (isExpensive) await take(limiters.expensive, one, expensiveOnes);
    }
  }

  /** Counts an expensive part of a request that was counted before. Throws `too_many_requests`. */
  async countExpensive(owner: RateOwner): Promise<void> {
    for (const { limiters, ...one } of this.ownersOf(owner))
      await take(limiters.expensive, one, expensiveOnes);
  }

  private ownersOf({ keyId, token }: RateOwner) {
    const ofKey = { limiters: this.ofKey, id: keyId, name: 'This key' };
    return token ? [{ limiters: this.ofToken, id: token.id, name: 'This thread token' }, ofKey] : [ofKey];
  }

  /** Begins an expensive request and returns the function that ends it. Throws `too_many_requests`. */
  beginHeavy({ keyId, token }: RateOwner): () => void {
    const owners = [
      { id: keyId, name: 'This key', max: maxHeavy.key },
      ...(token ? [{ id: token.id, name: 'This thread token', max: maxHeavy.token }] : []),
    ];
    const full = owners.find(({ id, max }) => this.heavy.of(id) >= max);
    if (full) {
      throw new SpillwayError(
        'too_many_requests',
        `${full.name} has ${full.max} uploads, outlines, exports, backups, forks or dry runs in progress, which is its limit. Wait until one ends.`,
      );
    }
    return this.heavy.take(
      owners.map(({ id }) => id),
      1,
    );
  }
}

interface Limiters {
  requests: RateLimiterMemory | null;
  expensive: RateLimiterMemory | null;
}

const limitersOf = ({ requests, expensive }: Rates): Limiters => ({
  requests: limiter(requests),
  expensive: limiter(expensive),
});

const limiter = (points: number): RateLimiterMemory | null =>
  points === 0 ? null : new RateLimiterMemory({ points, duration: 1 });

const expensiveOnes = 'searches, uploads, outlines, exports, backups, forks and dry runs';

async function take(
  limit: RateLimiterMemory | null,
  { id, name }: { id: string; name: string },
  what: string,
): Promise<void> {
  if (!limit) return;
  const message = `${name} sent more than ${limit.points} ${what} in a second. Try again after Retry-After.`;
  await takeOrRefuse(limit, id, message);
}
