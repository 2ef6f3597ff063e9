import { hash, randomBytes } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import {
  findKey,
  findSession,
  findThreadToken,
  touchKey,
  type CallerRow,
  type FoundCaller,
} from '@spillway/store';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressGroup } from './throttle/address-group.js';
import type { Runtime } from '../runtime.js';
import { takeOrRefuse } from './throttle/take-or-refuse.js';

/** A console session ends after half an hour without a request, and after 12 hours in any case. */
export const sessionLimits = { idleMs: 30 * 60_000, maxMs: 12 * 3_600_000 };

/** Precision of a key's last use. */
const usedMs = 60_000;

/** A key that was valid this recently is looked up even when its address is throttled. */
const provenMs = 3_600_000;

/** Unknown keys that one address may try in ten seconds. */
const guesses = { points: 100, duration: 10 };

const suspended = 'The operator of the service has suspended this project. Its data are kept.';

export type Authenticate = (credential: string, address: string) => Promise<CallerRow>;

/** A refused key. `owner` is known when the key was revoked or has expired. */
export class RefusedKey extends SpillwayError {
  constructor(readonly owner: { projectId: string; keyId: string } | null) {
    super('unauthorized', 'The API key is unknown, expired or revoked.');
  }
}

/** Keys and tokens are random, so a slow hash would add nothing. */
export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const sessionPrefix = 'ss_';
const threadTokenPrefix = 'st_';
const randomText = (): string => randomBytes(32).toString('base64url');
export const newToken = (): string => `${sessionPrefix}${randomText()}`;
export const newThreadToken = (): string => `${threadTokenPrefix}${randomText()}`;
export const newKey = (): string => `sw_${randomText()}`;

/**
 * Checks API keys, session tokens and thread tokens, and trusts valid ones for a few seconds. Throws `unauthorized`,
 * the same for unknown, revoked and expired keys, `project_suspended`, and `too_many_requests` for an address that keeps guessing, before
 * the database is queried. Keys that were valid before keep working from that address: others may share it.
 */
export function authenticator(rt: Runtime): Authenticate {
  const proven = new LRUCache<string, true>({ max: 10_000, ttl: provenMs });
  const used = new LRUCache<string, true>({ max: 10_000, ttl: usedMs });
  // Owners of keys that were revoked or have expired. Agents that go on with such a key cost no look-up each time.
  const ended = new LRUCache<string, NonNullable<RefusedKey['owner']>>({
    max: 10_000,
    ttl: rt.timing.keyTrustMs,
  });
  const attempts = new RateLimiterMemory(guesses);
  // Not awaited: authentication must not depend on this write.
  const remember = (caller: CallerRow) => {
    if (used.has(caller.keyId)) return;
    used.set(caller.keyId, true);
    touchKey(rt.store.query, caller).catch((error: unknown) =>
      rt.log.warn({ err: error }, 'the last use of a key was not recorded'),
    );
  };

  async function lookUp(credential: string, hashed: Buffer): Promise<FoundCaller> {
    if (credential.startsWith(threadTokenPrefix)) {
      const token = await findThreadToken(rt.store.query, hashed);
      if (!token) throw new RefusedKey(null);
      return token;
    }
    if (credential.startsWith(sessionPrefix)) {
      const session = await findSession(rt.store.query, hashed, sessionLimits);
      if (!session) throw new RefusedKey(null);
      return session;
    }
    const key = await findKey(rt.store.query, hashed);
    if (!key?.isLive) throw new RefusedKey(key ?? null);
    return key;
  }

  async function check(credential: string, name: string, address: string): Promise<CallerRow> {
    const owner = ended.get(name);
    if (owner) throw new RefusedKey(owner);
    const from = addressGroup(address);
    const isNew = !proven.has(name);
    // Counted before the look-up, so that concurrent guesses are refused as well.
    if (isNew) await takeOrRefuse(attempts, from, 'Too many wrong keys from this address; try again later.');
    const look = async (): Promise<CallerRow> => {
      const { isSuspended, ...found } = await lookUp(credential, Buffer.from(name, 'base64'));
      if (isSuspended) throw new SpillwayError('project_suspended', suspended);
      return found;
    };
    const caller = await look().catch(async (error: unknown) => {
      const knownOwner = error instanceof RefusedKey ? error.owner : null;
      if (knownOwner) ended.set(name, knownOwner);
      // While the database is away nobody knows whether a key is wrong, and that of a suspended project is right. One
      // that was replaced is no guess, and agents that still send it may share the address of those with the new one.
      if (isNew && (knownOwner || !(error instanceof RefusedKey))) await attempts.reward(from);
      throw error;
    });
    if (isNew) await attempts.reward(from);
    proven.set(name, true);
    remember(caller);
    return caller;
  }

  return (credential, address) => {
    const name = hash('sha256', credential, 'base64');
    return rt.trustedCallers.find(name, () => check(credential, name, address));
  };
}
