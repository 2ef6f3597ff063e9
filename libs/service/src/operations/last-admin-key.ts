import { countLastAdminKeys, lastAdminKey, type ConcernRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** How long before the end of a last admin key people hear of it: whoever can make another one may be away for two weeks. */
const warnedBeforeMs = 14 * 86_400_000;

/**
 * That nobody administers the project any more, soon or already. The key is not named: who may read this may not read
 * keys.
 */
export async function lastAdminKeyConcerns(rt: Runtime, projectId: string): Promise<ConcernRow[]> {
  const last = await lastAdminKey(rt.store.query, projectId, warnedBeforeMs);
  if (!last) return [];
  const reason = `${last.hasExpired ? 'expired' : 'expires'} at ${last.expiresAt.toISOString()}`;
  return [{ kind: 'last_admin_key_expires', reason, count: 1, threads: [] }];
}

/** Projects with that concern, by whether the key has expired. */
export const lastAdminKeys = (rt: Runtime) => countLastAdminKeys(rt.store.query, warnedBeforeMs);
