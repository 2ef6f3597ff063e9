import { SpillwayError } from '@spillway/engine';
import {
  ensureKey,
  insertKey,
  listKeys as readKeys,
  revokeKey as revoke,
  type KeyRow,
} from '@spillway/store';
import { hashOf, newKey } from './authenticate.js';
import type { Runtime } from './runtime.js';

export interface KeyWishes {
  name: string;
  scopes: string[];
  expiresAt: Date | null;
}

const stored = (key: string) => ({ prefix: key.slice(0, 8), hash: hashOf(key) });

/** Makes a key. Only its hash is kept, so the key itself is to be had here and never again. */
export async function createKey(
  rt: Runtime,
  projectId: string,
  wishes: KeyWishes,
): Promise<{ row: KeyRow; key: string }> {
  const key = newKey();
  return { row: await insertKey(rt.store, projectId, { ...wishes, ...stored(key) }), key };
}

export const listKeys = (rt: Runtime, projectId: string): Promise<KeyRow[]> => readKeys(rt.store, projectId);

/** Revokes a key; it stops working within seconds. Throws `key_not_found`, `last_admin_key`. */
export async function revokeKey(rt: Runtime, projectId: string, id: string): Promise<void> {
  const done = await revoke(rt.store.query, projectId, id);
  if (!done) throw new SpillwayError('key_not_found', 'No such key.');
  if (!done.revoked) {
    throw new SpillwayError('last_admin_key', 'This is the last admin key: make another one first.');
  }
}

/** Creates project `default` with this admin key, unless the key is there already. */
export const bootstrap = (rt: Runtime, key: string): Promise<void> =>
  ensureKey(rt.store, {
    project: 'default',
    name: 'bootstrap',
    ...stored(key),
    scopes: ['admin'],
    expiresAt: null,
  });
