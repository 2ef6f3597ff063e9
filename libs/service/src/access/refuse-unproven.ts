import { SpillwayError } from '@spillway/engine';
import { isProven, type CallerRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** How long a session may do these things after its key was shown. */
const provenMs = 5 * 60_000;

const words = {
  key: 'make a key',
  token: 'make a token',
  upstream: 'set an upstream',
  webhook: 'set the address of a webhook',
  secret: 'replace the secret of a webhook',
};

/**
 * Throws `reauthentication_required` for a session that has not shown its key in the last minutes: a stolen session must
 * not make what outlives it, neither a credential nor an address that the project's data goes to.
 */
export async function refuseUnproven(
  rt: Runtime,
  { projectId, sessionId }: CallerRow,
  what: keyof typeof words,
): Promise<void> {
  if (sessionId === null || (await isProven(rt.store.query, projectId, sessionId, provenMs))) return;
  throw new SpillwayError(
    'reauthentication_required',
    `Show your API key again before you ${words[what]}: POST /v1/sessions/current/proof.`,
  );
}
