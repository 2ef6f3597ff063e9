import { createHash } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import { ensureKey, findKey, type KeyRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { Runtime } from './runtime.js';

/** A revoked key stops working within this time. */
const trustMs = 5_000;

export type Authenticate = (key: string) => Promise<KeyRow>;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Checks API keys, remembering good ones for a few seconds. Throws `unauthorized`. */
export function authenticator(rt: Runtime): Authenticate {
  const known = new LRUCache<string, KeyRow>({ max: 10_000, ttl: trustMs });
  return async (key) => {
    const hash = hashOf(key);
    const name = hash.toString('base64');
    const row = known.get(name) ?? (await findKey(rt.store.query, hash));
    if (!row) throw new SpillwayError('unauthorized', 'The API key is unknown or was revoked.');
    if (!known.has(name)) known.set(name, row);
    return row;
  };
}

/** Creates project `default` with this admin key, unless the key is there already. */
export const bootstrap = (rt: Runtime, key: string): Promise<void> =>
  ensureKey(rt.store, {
    project: 'default',
    name: 'bootstrap',
    prefix: key.slice(0, 8),
    hash: hashOf(key),
    scopes: ['admin'],
  });
