import { SpillwayError } from '@spillway/engine';
import {
  insertThreadToken,
  listThreadTokens as readTokens,
  revokeThreadToken as revoke,
  type CallerRow,
  type ThreadTokenRow,
} from '@spillway/store';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashOf, newThreadToken } from './authenticate.js';
import { refuseUnproven } from './refuse-unproven.js';
import { takeOrRefuse } from './throttle/take-or-refuse.js';
import type { Page } from '../paging/cursor.js';
import { byCreation, pageOfWhole, type ListQuery } from '../paging/page-of-whole.js';
import type { Runtime } from '../runtime.js';
import { getThread } from '../threads/get-thread.js';

/** Maximum of live tokens of one thread from one key. One more revokes the oldest of this key. */
const maxOfKey = 100;
/** Maximum of live tokens of one thread from all keys. A key that has none of them gets none. */
const maxOfThread = 1_000;
/** Tokens that a key may issue in ten minutes: each leaves rows. */
const issued = new RateLimiterMemory({ keyPrefix: 'token', points: 3_000, duration: 600 });

const has = ({ scopes }: CallerRow, scope: string): boolean =>
  scopes.includes('admin') || scopes.includes(scope);

/**
 * Issues a token for one thread with some of the key's scopes. Only its hash is stored. Throws `forbidden` for a scope
 * that the key lacks and for a token, which must not outlive itself; `reauthentication_required` for a session that has
 * not shown its key in the last minutes; `thread_not_found`, `too_many_tokens` and `too_many_requests`.
 */
export async function createThreadToken(
  rt: Runtime,
  caller: CallerRow,
  threadId: string,
  { scopes, ttlMs }: { scopes: readonly string[]; ttlMs: number },
): Promise<{ row: ThreadTokenRow; token: string }> {
  const { projectId, keyId } = caller;
  if (caller.token !== null) throw new SpillwayError('forbidden', 'A thread token issues no thread tokens.');
  await refuseUnproven(rt, caller, 'token');
  const missing = scopes.find((scope) => !has(caller, scope));
  if (missing !== undefined)
    throw new SpillwayError(
      'forbidden',
      `This key cannot pass on the scope ${missing}: it does not have it.`,
    );
  const { uid: threadUid } = await getThread(rt, projectId, threadId);
  await takeOrRefuse(
    issued,
    keyId,
    `This key issued ${issued.points} tokens in ten minutes, its limit. Retry later.`,
  );
  const token = newThreadToken();
  const input = { projectId, threadUid, keyId, hash: hashOf(token), scopes: [...new Set(scopes)] };
  const row = await insertThreadToken(rt.store.query, input, { ttlMs, maxOfKey, maxOfThread });
  if (row === 'full')
    throw new SpillwayError(
      'too_many_tokens',
      `The thread has ${maxOfThread} live tokens of other keys, the limit. Revoke one of them first, or wait until one ends.`,
    );
  if (!row) throw new SpillwayError('unauthorized', 'The key was revoked or has expired.');
  return { row, token };
}

/** The tokens that a caller may list and revoke: those of its key, or all with the scope threads:manage. */
const issuerFor = (caller: CallerRow): string | null => (has(caller, 'threads:manage') ? null : caller.keyId);

/** The live tokens of a thread, newest first. Throws `thread_not_found`. */
export async function listThreadTokens(
  rt: Runtime,
  caller: CallerRow,
  threadId: string,
  query: ListQuery,
): Promise<Page<ThreadTokenRow>> {
  const { projectId } = caller;
  const { uid: threadUid } = await getThread(rt, projectId, threadId);
  const rows = await readTokens(rt.store.query, { projectId, threadUid, issuer: issuerFor(caller) });
  return pageOfWhole(rows, query, { list: 'thread-tokens', keyOf: byCreation, descending: true });
}

/**
 * Revokes a token; it stops working at once, in other processes within seconds. Throws `thread_not_found`,
 * `token_not_found`.
 */
export async function revokeThreadToken(
  rt: Runtime,
  caller: CallerRow,
  threadId: string,
  id: string,
): Promise<void> {
  const { projectId } = caller;
  const { uid: threadUid } = await getThread(rt, projectId, threadId);
  const found = await revoke(rt.store.query, { projectId, threadUid, id, issuer: issuerFor(caller) });
  if (!found) throw new SpillwayError('token_not_found', 'This thread has no such token.');
  rt.trustedCallers.forget(({ token }) => token?.id === id);
}
