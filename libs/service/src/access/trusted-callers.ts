import type { CallerRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';

/**
 * Callers that were looked up a moment ago, and look-ups in progress. What ends in this process is refused by it from
 * then on; other processes look again after `trustMs`.
 */
export class TrustedCallers {
  private readonly known: LRUCache<string, CallerRow>;
  private readonly pending = new Map<string, Promise<CallerRow>>();

  constructor(trustMs: number) {
    this.known = new LRUCache({ max: 10_000, ttl: trustMs });
  }

  /** The caller of this name: a trusted one, or what the look-up finds. Concurrent calls share one look-up. */
  async find(name: string, lookUp: () => Promise<CallerRow>): Promise<CallerRow> {
    const trusted = this.known.get(name);
    if (trusted) return trusted;
    const begun = this.pending.get(name);
    if (begun) return begun;
    const looking = lookUp();
    this.pending.set(name, looking);
    try {
      const caller = await looking;
      // Not one that was forgotten meanwhile: what it read may be from before the end.
      if (this.pending.get(name) === looking) this.known.set(name, caller);
      return caller;
    } finally {
      if (this.pending.get(name) === looking) this.pending.delete(name);
    }
  }

  /** Looks again for these callers, and for all whose look-up is in progress. */
  forget(isEnded: (caller: CallerRow) => boolean): void {
    this.pending.clear();
    for (const [name, caller] of this.known.entries()) if (isEnded(caller)) this.known.delete(name);
  }
}
