import type { CallerRow } from './api-keys.js';
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

/**
 * Issues a token that ends after `ttlMs`, and not after its key. Revokes the oldest live tokens of the thread beyond
 * `maxTokens`, in the same statement. Undefined when the key is no longer valid.
 */
export async function insertThreadToken(
  query: Query,
  { projectId, threadUid, keyId, hash, scopes }: NewThreadToken,
  { ttlMs, maxTokens }: { ttlMs: number; maxTokens: number },
): Promise<ThreadTokenRow | undefined> {
  const rows = await query<ThreadTokenRow>(
    {
      name: 'insert-thread-token',
      text: `WITH issuer AS (
          SELECT id, name, expires_at FROM api_keys WHERE project_id = $1 AND id = $3 AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())
        ), revoked AS (
          UPDATE thread_tokens SET revoked_at = now() WHERE project_id = $1 AND id IN (
            SELECT t.id FROM thread_tokens t WHERE t.project_id = $1 AND t.thread_uid = $2 AND t.revoked_at IS NULL
              AND t.expires_at > now() ORDER BY t.created_at DESC, t.id OFFSET $7)
        ) INSERT INTO thread_tokens AS t (project_id, thread_uid, key_id, hash, scopes, expires_at)
          SELECT $1, $2, issuer.id, $4, $5::text[], least(now() + $6::int * interval '1 ms', issuer.expires_at) FROM issuer
          RETURNING ${columns}, (SELECT name FROM issuer) AS "keyName"`,
    },
    [projectId, threadUid, keyId, hash, scopes, ttlMs, maxTokens - 1],
  );
  return rows[0];
}

/** The live token of this hash. A token ends by itself, when it is revoked, with its key, and with its thread. */
export const findThreadToken = (query: Query, hash: Buffer): Promise<CallerRow | undefined> =>
  asService(async () => {
    const rows = await query<CallerRow>(
      {
        name: 'find-thread-token',
        text: `SELECT t.project_id AS "projectId", t.key_id AS "keyId", NULL AS "sessionId", t.scopes,
            json_build_object('id', t.id, 'threadId', th.id) AS token
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
