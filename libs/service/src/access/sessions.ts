import { SpillwayError } from '@spillway/engine';
import {
  describeCaller,
  endSession as end,
  findKey,
  insertSession,
  markProven,
  type CallerRow,
} from '@spillway/store';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { hashOf, newToken, sessionLimits } from './authenticate.js';
import type { Runtime } from '../runtime.js';

/** Live sessions of one key; a further one ends the one that was idle for longest. */
const maxSessions = 50;
/** Sessions that a key may begin in ten minutes: each leaves rows that stay. */
const begun = new RateLimiterMemory({ keyPrefix: 'begun', points: 120, duration: 600 });
/** Keys that a session may try in a minute to prove itself. */
const proofs = new RateLimiterMemory({ keyPrefix: 'proof', points: 10, duration: 60 });

async function take(limit: RateLimiterMemory, id: string, message: string): Promise<void> {
  try {
    await limit.consume(id);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new SpillwayError('too_many_requests', message);
  }
}

/**
 * Begins a session for whoever holds this key: a random token that stands for it, so that the key itself need not be
 * kept anywhere. Throws `forbidden` to a session, because only a key can begin one, and `too_many_requests`.
 */
export async function startSession(
  rt: Runtime,
  { projectId, keyId, sessionId }: CallerRow,
): Promise<{ token: string; expiresAt: Date }> {
  if (sessionId !== null) throw new SpillwayError('forbidden', 'Only a key can begin a session.');
  await take(
    begun,
    keyId,
    `This key began more than ${begun.points} sessions in ten minutes. Try again later.`,
  );
  const token = newToken();
  const session = { projectId, keyId, hash: hashOf(token) };
  const { createdAt } = await insertSession(rt.store.query, session, { ...sessionLimits, maxSessions });
  return { token, expiresAt: new Date(createdAt.getTime() + sessionLimits.maxMs) };
}

/**
 * Remembers that whoever uses this session holds its key as well. Throws `forbidden` for any other key,
 * `invalid_request` to a key, which needs no proof, and `too_many_requests` to a session that keeps guessing.
 */
export async function proveSession(rt: Runtime, caller: CallerRow, key: string): Promise<void> {
  const { projectId, keyId, sessionId } = caller;
  if (sessionId === null)
    throw new SpillwayError('invalid_request', 'This request carries a key, not a session.');
  await take(proofs, sessionId, `More than ${proofs.points} keys were tried in a minute. Try again later.`);
  const found = await findKey(rt.store.query, hashOf(key));
  if (!found?.isLive || found.keyId !== keyId) {
    throw new SpillwayError('forbidden', 'This is not the key that the session was begun with.');
  }
  await markProven(rt.store.query, projectId, sessionId);
}

/** Ends the session that asks; its token stops working within seconds. A key has none to end, which is no error. */
export async function endSession(rt: Runtime, { projectId, sessionId }: CallerRow): Promise<void> {
  if (sessionId !== null) await end(rt.store.query, projectId, sessionId);
}

/** The project and the key that a caller speaks for. */
export async function currentSession(rt: Runtime, caller: CallerRow) {
  const described = await describeCaller(rt.store, caller);
  if (!described) throw new SpillwayError('unauthorized', 'The project of this key no longer exists.');
  return described;
}
