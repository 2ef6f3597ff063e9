import { SpillwayError } from '@spillway/engine';
import { isProven, type CallerRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** How long a session may make credentials after its key was shown. */
const provenMs = 5 * 60_000;

/**
 * Throws `reauthentication_required` for a session that has not shown its key in the last minutes: a stolen session
 * must not make a credential that outlives it. `what` is what was asked for.
 */
export async function refuseUnproven(
  rt: Runtime,
  { projectId, sessionId }: CallerRow,
  what: 'key' | 'token',
): Promise<void> {
  if (sessionId === null || (await isProven(rt.store.query, projectId, sessionId, provenMs))) return;
  throw new SpillwayError(
    'reauthentication_required',
    `Show your API key again before you make a ${what}: POST /v1/sessions/current/proof.`,
  );
}
