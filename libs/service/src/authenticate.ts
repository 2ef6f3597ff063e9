import { createHash, randomBytes } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import { findKey, findSession, touchKey, type CallerRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { Runtime } from './runtime.js';

/** A revoked key and an ended session stop working within this time. */
const trustMs = 5_000;

/** A console session ends after half an hour without a request, and after half a day in any case. */
export const sessionLimits = { idleMs: 30 * 60_000, longestMs: 12 * 3_600_000 };

/** How exactly it is known when a key was last used. */
const usedMs = 60_000;

/** Wrong keys from one address in ten seconds, before it is told to wait. */
const mostFailures = 100;
const failureWindowMs = 10_000;

export type Authenticate = (credential: string, address: string) => Promise<CallerRow>;

/** Keys and tokens are random, so a slow hash would add nothing. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const tokenPrefix = 'ss_';
export const newToken = (): string => `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
export const newKey = (): string => `sw_${randomBytes(32).toString('base64url')}`;

/**
 * Checks API keys and session tokens, remembering good ones for a few seconds. Throws `unauthorized`, the same for
 * unknown, revoked and expired ones; `too_many_requests` to an address that keeps guessing. A good key is good from
 * there all the same: others may share the address, and looking a hash up costs next to nothing.
 */
export function authenticator(rt: Runtime): Authenticate {
  const known = new LRUCache<string, CallerRow>({ max: 10_000, ttl: trustMs });
  const used = new LRUCache<string, true>({ max: 10_000, ttl: usedMs });
  // Beside the request: whether a row can be written must not decide who gets in.
  const remember = (caller: CallerRow) => {
    if (used.has(caller.keyId)) return;
    used.set(caller.keyId, true);
    touchKey(rt.store.query, caller).catch((error: unknown) =>
      rt.log.warn({ err: error }, 'could not write down that a key was used'),
    );
  };
  const failures = new LRUCache<string, { count: number }>({ max: 10_000, ttl: failureWindowMs });
  return async (credential, address) => {
    const hash = hashOf(credential);
    const name = hash.toString('base64');
    const trusted = known.get(name);
    if (trusted) return trusted;
    const caller = credential.startsWith(tokenPrefix)
      ? await findSession(rt.store.query, hash, sessionLimits)
      : await findKey(rt.store.query, hash);
    if (!caller) {
      const failed = failures.get(address) ?? { count: 0 };
      if (failed.count++ === 0) failures.set(address, failed);
      if (failed.count > mostFailures)
        throw new SpillwayError(
          'too_many_requests',
          'Too many wrong keys from this address; try again later.',
        );
      throw new SpillwayError('unauthorized', 'The API key is unknown, expired or revoked.');
    }
    known.set(name, caller);
    remember(caller);
    return caller;
  };
}
