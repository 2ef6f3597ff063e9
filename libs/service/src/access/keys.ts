import { SpillwayError } from '@spillway/engine';
import {
  databaseTime,
  ensureBootstrapKey,
  insertKey,
  listKeys as readKeys,
  revokeKey as revoke,
  updateKey,
  type CallerRow,
  type KeyRow,
} from '@spillway/store';
import { z } from 'zod';
import { withTokensOfToday, type KeyOfToday } from '../usage/key-budgets.js';
import { hashOf, newKey } from './authenticate.js';
import { refuseUnproven } from './refuse-unproven.js';
import { pageOf, type Page } from '../paging/cursor.js';
import { readKeyset, time, writeKeyset } from '../paging/keyset-cursor.js';
import type { ListQuery } from '../paging/page-of-whole.js';
import type { Runtime } from '../runtime.js';

export interface KeyInput {
  name: string;
  scopes: string[];
  /** Null: never. Undefined: the default for the caller. */
  expiresAt: Date | null | undefined;
  /** Input and output tokens of model calls of agents; null: any number. */
  maxChatTokensPerDay: number | null;
}

/** Default lifetime of a key that a session creates. */
const sessionKeyMs = 90 * 86_400_000;

/**
 * Creates a key. Only its hash is stored, so the key is returned here and never again. A session must have shown its
 * own key in the last minutes, so that a stolen session cannot create a key that outlives it; otherwise throws
 * `reauthentication_required`.
 */
export async function createKey(
  rt: Runtime,
  caller: CallerRow,
  { expiresAt, ...input }: KeyInput,
): Promise<{ row: KeyRow; key: string }> {
  await refuseUnproven(rt, caller, 'key');
  const key = newKey();
  const row = await insertKey(rt.store, caller.projectId, {
    ...input,
    expiresAt: expiresAt === undefined ? await defaultExpiry(rt, caller) : expiresAt,
    prefix: key.slice(0, 8),
    hash: hashOf(key),
  });
  return { row, key };
}

const defaultExpiry = async (rt: Runtime, { sessionId }: CallerRow): Promise<Date | null> =>
  sessionId === null ? null : new Date((await databaseTime(rt.store.query)) + sessionKeyMs);

/** Keys of a page, without a limit: a project may have made a key for each of its users. */
const keysOfPage = 1_000;

/** Newest first. Throws `invalid_request` for a cursor of another list. */
export async function listKeys(
  rt: Runtime,
  projectId: string,
  { limit = keysOfPage, cursor }: ListQuery,
): Promise<Page<KeyOfToday>> {
  const at = readKeyset(cursor, { order: 'keys', value: time, id: z.uuid() });
  const after = at && { createdAt: new Date(at.value), id: at.id };
  const rows = await readKeys(rt.store, projectId, { after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) =>
    writeKeyset('keys', { value: createdAt.toISOString(), id }),
  );
  return { ...page, data: await withTokensOfToday(rt, projectId, page.data) };
}

/**
 * Changes the name of a key and what model calls of agents may take with it. Another budget holds at once; the first one
 * of a key, in other processes within seconds. Throws `key_not_found`.
 */
export async function changeKey(
  rt: Runtime,
  projectId: string,
  id: string,
  change: Partial<Pick<KeyInput, 'name' | 'maxChatTokensPerDay'>>,
): Promise<KeyOfToday> {
  const row = await updateKey(rt.store, projectId, id, change);
  if (!row) throw new SpillwayError('key_not_found', 'No such key.');
  rt.trustedCallers.forget(({ keyId }) => keyId === id);
  return (await withTokensOfToday(rt, projectId, [row]))[0]!;
}

/** Revokes a key; it stops working at once, in other processes within seconds. Throws `key_not_found`, `last_admin_key`. */
export async function revokeKey(rt: Runtime, projectId: string, id: string): Promise<void> {
  const done = await revoke(rt.store.query, projectId, id);
  if (!done) throw new SpillwayError('key_not_found', 'No such key.');
  if (!done.revoked) {
    throw new SpillwayError('last_admin_key', 'This is the last admin key: make another one first.');
  }
  rt.trustedCallers.forget(({ keyId }) => keyId === id);
}

/** The visible part of a key. A key that a person chose has none: its beginning may be most of it. */
const shownPrefix = (key: string): string =>
  /^sw_[A-Za-z0-9_-]{29,}$/.test(key) ? key.slice(0, 8) : 'custom';

/**
 * Creates the project `default` with this admin key, unless the key exists, and revokes the key that was configured
 * before.
 */
export async function bootstrap(rt: Runtime, key: string): Promise<void> {
  const { isLive, replaced } = await ensureBootstrapKey(rt.store, {
    project: 'default',
    name: 'bootstrap',
    prefix: shownPrefix(key),
    hash: hashOf(key),
  });
  if (replaced > 0) {
    rt.trustedCallers.forget(() => true);
    rt.log.info({ replaced }, 'the bootstrap key was changed; the one before is revoked');
  }
  if (!isLive) rt.log.warn('SPILLWAY_BOOTSTRAP_KEY is a key that was revoked: set another one');
}
