import { SpillwayError } from '@spillway/engine';
import { describeCaller, endSession as end, insertSession, type CallerRow } from '@spillway/store';
import { hashOf, newToken, sessionLimits } from './authenticate.js';
import type { Runtime } from './runtime.js';

/**
 * Begins a session for whoever holds this key: a random token that stands for it, so that the key itself need not be
 * kept anywhere. Throws `forbidden` to a session: only a key can begin one.
 */
export async function startSession(
  rt: Runtime,
  { projectId, keyId, sessionId }: CallerRow,
): Promise<{ token: string; expiresAt: Date }> {
  if (sessionId !== null) throw new SpillwayError('forbidden', 'Only a key can begin a session.');
  const token = newToken();
  const { createdAt } = await insertSession(rt.store, { projectId, keyId, hash: hashOf(token) });
  return { token, expiresAt: new Date(createdAt.getTime() + sessionLimits.longestMs) };
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
