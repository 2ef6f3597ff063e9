import { SpillwayError } from '@spillway/engine';
import {
  describeCaller,
  endSession as end,
  findKey,
  insertSession,
  markProven,
  type CallerRow,
} from '@spillway/store';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashOf, newToken, sessionLimits } from './authenticate.js';
import { takeOrRefuse } from './throttle/take-or-refuse.js';
import type { Runtime } from '../runtime.js';

/** Maximum of live sessions of one key. One more ends the session with the longest idle time. */
const maxSessions = 50;
/** Sessions that a key may start in ten minutes: each leaves rows. */
const begun = new RateLimiterMemory({ keyPrefix: 'begun', points: 120, duration: 600 });
/** Keys that a session may try in a minute to prove itself. */
const proofs = new RateLimiterMemory({ keyPrefix: 'proof', points: 10, duration: 60 });

/**
 * Starts a session for the holder of this key. Its random token replaces the key, so that the key need not be stored
 * anywhere. Throws `forbidden` for a session, since only a key can start one, and `too_many_requests`.
 */
export async function startSession(
  rt: Runtime,
  { projectId, keyId, sessionId }: CallerRow,
): Promise<{ token: string; expiresAt: Date }> {
  if (sessionId !== null) throw new SpillwayError('forbidden', 'A session can only be started with a key.');
  await takeOrRefuse(
    begun,
    keyId,
    `This key began more than ${begun.points} sessions in ten minutes. Retry later.`,
  );
  const token = newToken();
  const session = { projectId, keyId, hash: hashOf(token) };
  const { createdAt } = await insertSession(rt.store.query, session, { ...sessionLimits, maxSessions });
  // One more session than a key may have ends another.
  rt.trustedCallers.forget((caller) => caller.keyId === keyId && caller.sessionId !== null);
  return { token, expiresAt: new Date(createdAt.getTime() + sessionLimits.maxMs) };
}

/**
 * Records that the holder of this session also has its key. Throws `forbidden` for another key, `invalid_request` for a
 * key, which needs no proof, and `too_many_requests` for a session that keeps guessing.
 */
export async function proveSession(rt: Runtime, caller: CallerRow, key: string): Promise<void> {
  const { projectId, keyId, sessionId } = caller;
  if (sessionId === null)
    throw new SpillwayError('invalid_request', 'This request carries a key, not a session.');
  await takeOrRefuse(
    proofs,
    sessionId,
    `More than ${proofs.points} keys were tried in a minute. Retry later.`,
  );
  const found = await findKey(rt.store.query, hashOf(key));
  if (!found?.isLive || found.keyId !== keyId) {
    throw new SpillwayError('forbidden', 'This is not the key of the session.');
  }
  await markProven(rt.store.query, projectId, sessionId);
}

/**
 * Ends the caller's session; its token stops working at once, in other processes within seconds. For a key it does
 * nothing.
 */
export async function endSession(rt: Runtime, { projectId, sessionId }: CallerRow): Promise<void> {
  if (sessionId === null) return;
  await end(rt.store.query, projectId, sessionId);
  rt.trustedCallers.forget((caller) => caller.sessionId === sessionId);
}

/** The project and the key of a caller. */
export async function currentSession(rt: Runtime, caller: CallerRow) {
  const described = await describeCaller(rt.store, caller);
  if (!described) throw new SpillwayError('unauthorized', 'The project of this key no longer exists.');
  return described;
}
