import { hasChatBudget, isSuspendedProject, type FoundCaller } from './api-keys.js';
import { asService } from '../connection/scope.js';
import type { Query } from '../connection/store.js';
import { forgetOldest } from '../sql/forget-oldest.js';

export interface NewSession {
  projectId: string;
  keyId: string;
  hash: Buffer;
}

/** Starts a session and ends those of its key beyond `maxSessions`, the longest idle first, in one statement. */
export async function insertSession(
  query: Query,
  { projectId, keyId, hash }: NewSession,
  { idleMs, maxMs, maxSessions }: { idleMs: number; maxMs: number; maxSessions: number },
): Promise<{ createdAt: Date }> {
  const [row] = await query<{ createdAt: Date }>(
    {
      name: 'insert-session',
      text: `WITH ended AS (
          UPDATE sessions SET ended_at = now() WHERE project_id = $1 AND id IN (
            SELECT s.id FROM sessions s WHERE s.project_id = $1 AND s.key_id = $2 AND s.ended_at IS NULL
              AND s.seen_at > now() - $4::int * interval '1 ms' AND s.created_at > now() - $5::int * interval '1 ms'
            ORDER BY s.seen_at DESC OFFSET $6)
        ) INSERT INTO sessions (project_id, key_id, hash) VALUES ($1, $2, $3) RETURNING created_at AS "createdAt"`,
    },
    [projectId, keyId, hash, idleMs, maxMs, maxSessions - 1],
  );
  return row!;
}

/** Records that the key of a session was shown again. */
export const markProven = (query: Query, projectId: string, id: string) =>
  query(
    {
      name: 'mark-proven',
      text: `UPDATE sessions SET proved_at = now() WHERE project_id = $1 AND id = $2 AND ended_at IS NULL`,
    },
    [projectId, id],
  );

/** Whether the key of a session was shown in the last `withinMs`. */
export async function isProven(
  query: Query,
  projectId: string,
  id: string,
  withinMs: number,
): Promise<boolean> {
  const rows = await query(
    {
      name: 'is-proven',
      text: `SELECT FROM sessions WHERE project_id = $1 AND id = $2 AND ended_at IS NULL
        AND proved_at > now() - $3::int * interval '1 ms'`,
    },
    [projectId, id, withinMs],
  );
  return rows.length === 1;
}

/**
 * The live session of this token's hash, with the scopes of its key. A session ends with its key, after `idleMs`
 * without a request, and `maxMs` after its start. This look-up counts as a request.
 */
export const findSession = (
  query: Query,
  hash: Buffer,
  { idleMs, maxMs }: { idleMs: number; maxMs: number },
): Promise<FoundCaller | undefined> =>
  asService(async () => {
    const rows = await query<FoundCaller>(
      {
        name: 'find-session',
        text: `UPDATE sessions s SET seen_at = now() FROM api_keys k
          WHERE s.hash = $1 AND s.ended_at IS NULL AND s.seen_at > now() - $2::int * interval '1 ms'
            AND s.created_at > now() - $3::int * interval '1 ms'
            AND k.project_id = s.project_id AND k.id = s.key_id AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > now())
          RETURNING s.project_id AS "projectId", s.key_id AS "keyId", s.id AS "sessionId", NULL AS token, k.scopes,
            ${isSuspendedProject('s.project_id')} AS "isSuspended", ${hasChatBudget('k')}`,
      },
      [hash, idleMs, maxMs],
    );
    return rows[0];
  });

export const endSession = (query: Query, projectId: string, id: string) =>
  query(
    {
      name: 'end-session',
      text: `UPDATE sessions SET ended_at = now() WHERE project_id = $1 AND id = $2 AND ended_at IS NULL`,
    },
    [projectId, id],
  );

/**
 * Removes sessions that began longer ago than `keepMs`, at most a batch of the oldest, and returns how many. The audit
 * log keeps when they began and ended, and the ids of their keys.
 */
export const forgetSessions = (query: Query, projectId: string, keepMs: number): Promise<number> =>
  forgetOldest(
    query,
    {
      name: 'forget-sessions',
      table: 'sessions',
      isOld: `project_id = $1 AND created_at < now() - $2::bigint * interval '1 ms'`,
      by: 'created_at',
    },
    [projectId, keepMs],
  );
