import type { CallerRow } from './api-keys.js';
import { asService } from './scope.js';
import type { Query, Store } from './store.js';

export interface NewSession {
  projectId: string;
  keyId: string;
  hash: Buffer;
}

export const insertSession = ({ prisma }: Store, { hash, ...session }: NewSession) =>
  prisma.session.create({ data: { ...session, hash: new Uint8Array(hash) } });

/**
 * The live session of this token's hash, with what its key may do now. A session ends with its key, after `idleMs`
 * without a request, and `longestMs` after it began. Being asked for is a request.
 */
export const findSession = (
  query: Query,
  hash: Buffer,
  { idleMs, longestMs }: { idleMs: number; longestMs: number },
): Promise<CallerRow | undefined> =>
  asService(async () => {
    const rows = await query<CallerRow>(
      {
        name: 'find-session',
        text: `UPDATE sessions s SET seen_at = now() FROM api_keys k
          WHERE s.hash = $1 AND s.ended_at IS NULL AND s.seen_at > now() - $2::int * interval '1 ms'
            AND s.created_at > now() - $3::int * interval '1 ms'
            AND k.project_id = s.project_id AND k.id = s.key_id AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > now())
          RETURNING s.project_id AS "projectId", s.key_id AS "keyId", s.id AS "sessionId", k.scopes`,
      },
      [hash, idleMs, longestMs],
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
