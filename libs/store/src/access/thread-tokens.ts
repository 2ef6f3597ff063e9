import { hasChatBudget, isSuspendedProject, type FoundCaller } from './api-keys.js';
import { asService } from '../connection/scope.js';
import type { Query } from '../connection/store.js';

export interface NewThreadToken {
  projectId: string;
  threadUid: string;
  /** The issuing key. */
  keyId: string;
  hash: Buffer;
  scopes: string[];
}

export interface ThreadTokenRow {
  id: string;
  keyId: string;
  keyName: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
}

const columns = `t.id, t.key_id AS "keyId", t.scopes, t.created_at AS "createdAt", t.expires_at AS "expiresAt"`;

export interface TokenLimits {
  ttlMs: number;
  /** Live tokens of one thread that one key may have. */
  maxOfKey: number;
  /** Live tokens of one thread that all keys may have. */
  maxOfThread: number;
}

/**
 * Issues a token that ends after `ttlMs`, and not after its key. In the same statement it revokes the oldest live tokens
 * that this key issued for the thread, as many as it takes to stay within both limits; those of other keys stay. `full`
 * when other keys have all tokens of the thread, and undefined when the key is no longer valid: then nothing is revoked.
 */
export async function insertThreadToken(
  query: Query,
  { projectId, threadUid, keyId, hash, scopes }: NewThreadToken,
  { ttlMs, maxOfKey, maxOfThread }: TokenLimits,
): Promise<ThreadTokenRow | 'full' | undefined> {
  const rows = await query<ThreadTokenRow | { id: null }>(
    {
      name: 'insert-thread-token',
      text: `WITH issuer AS (
          SELECT id, name, expires_at FROM api_keys WHERE project_id = $1 AND id = $3 AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())
        ), live AS (
          SELECT t.id, t.key_id, t.created_at FROM thread_tokens t
            JOIN api_keys k ON k.project_id = t.project_id AND k.id = t.key_id
            WHERE t.project_id = $1 AND t.thread_uid = $2 AND t.revoked_at IS NULL AND t.expires_at > now()
              AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        ), room AS (
          SELECT least($7::int, $8::int - count(*) FILTER (WHERE key_id <> $3))::int AS tokens FROM live
        ), issued AS (
          INSERT INTO thread_tokens AS t (project_id, thread_uid, key_id, hash, scopes, expires_at)
            SELECT $1, $2, issuer.id, $4, $5::text[], least(now() + $6::int * interval '1 ms', issuer.expires_at)
            FROM issuer, room WHERE room.tokens > 0
            RETURNING ${columns}
        ), revoked AS (
          UPDATE thread_tokens SET revoked_at = now() WHERE project_id = $1 AND EXISTS (SELECT FROM issued)
            AND id IN (SELECT id FROM live WHERE key_id = $3 ORDER BY created_at DESC, id
              OFFSET (SELECT greatest(tokens - 1, 0) FROM room))
        ) SELECT issued.*, issuer.name AS "keyName" FROM issuer LEFT JOIN issued ON true`,
    },
    [projectId, threadUid, keyId, hash, scopes, ttlMs, maxOfKey, maxOfThread],
  );
  const [row] = rows;
  return row?.id === null ? 'full' : row;
}

/** The live token of this hash. A token ends by itself, when it is revoked, with its key, and with its thread. */
export const findThreadToken = (query: Query, hash: Buffer): Promise<FoundCaller | undefined> =>
  asService(async () => {
    const rows = await query<FoundCaller>(
      {
        name: 'find-thread-token',
        text: `SELECT t.project_id AS "projectId", t.key_id AS "keyId", NULL AS "sessionId", t.scopes,
            json_build_object('id', t.id, 'threadId', th.id) AS token,
            ${isSuspendedProject('t.project_id')} AS "isSuspended", ${hasChatBudget('k')}
          FROM thread_tokens t
          JOIN api_keys k ON k.project_id = t.project_id AND k.id = t.key_id
          JOIN threads th ON th.project_id = t.project_id AND th.uid = t.thread_uid
          WHERE t.hash = $1 AND t.revoked_at IS NULL AND t.expires_at > now()
            AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND th.deleted_at IS NULL`,
      },
      [hash],
    );
    return rows[0];
  });

/** The live tokens of a thread, newest first; of one issuing key, or of all. */
export const listThreadTokens = (
  query: Query,
  { projectId, threadUid, issuer }: { projectId: string; threadUid: string; issuer: string | null },
): Promise<ThreadTokenRow[]> =>
  query<ThreadTokenRow>(
    {
      name: 'list-thread-tokens',
      text: `SELECT ${columns}, k.name AS "keyName" FROM thread_tokens t
        JOIN api_keys k ON k.project_id = t.project_id AND k.id = t.key_id
        WHERE t.project_id = $1 AND t.thread_uid = $2 AND ($3::uuid IS NULL OR t.key_id = $3) AND t.revoked_at IS NULL
          AND t.expires_at > now() AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        ORDER BY t.created_at DESC, t.id`,
    },
    [projectId, threadUid, issuer],
  );

/** Revokes a token of a thread. Returns whether there was one: of one issuing key, or of any. */
export async function revokeThreadToken(
  query: Query,
  {
    projectId,
    threadUid,
    issuer,
    id,
  }: { projectId: string; threadUid: string; issuer: string | null; id: string },
): Promise<boolean> {
  const rows = await query(
    {
      name: 'revoke-thread-token',
      text: `UPDATE thread_tokens SET revoked_at = coalesce(revoked_at, now())
        WHERE project_id = $1 AND thread_uid = $2 AND id = $3 AND ($4::uuid IS NULL OR key_id = $4) RETURNING id`,
    },
    [projectId, threadUid, id, issuer],
  );
  return rows.length === 1;
}

/** Removes tokens that ended longer ago than `keepMs`. The audit log keeps who issued them. */
export const forgetThreadTokens = (query: Query, projectId: string, keepMs: number) =>
  query(
    {
      name: 'forget-thread-tokens',
      text: `DELETE FROM thread_tokens WHERE project_id = $1 AND expires_at < now() - $2::bigint * interval '1 ms'`,
    },
    [projectId, keepMs],
  );
