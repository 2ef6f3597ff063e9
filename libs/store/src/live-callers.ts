import { asService } from './scope.js';
import type { Query } from './store.js';

/**
 * Which of these keys and sessions are still good: for connections that stay open. To be connected counts as a
 * request, so a session does not end for want of one.
 */
export const liveCallers = (
  query: Query,
  { keyIds, sessionIds, longestMs }: { keyIds: string[]; sessionIds: string[]; longestMs: number },
): Promise<Set<string>> =>
  asService(async () => {
    const rows = await query<{ id: string }>(
      {
        name: 'live-callers',
        text: `WITH keys AS (
            SELECT id FROM api_keys WHERE id = ANY($1::uuid[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
          ), sessions_seen AS (
            UPDATE sessions s SET seen_at = now() FROM keys
            WHERE s.id = ANY($2::uuid[]) AND s.key_id = keys.id AND s.ended_at IS NULL
              AND s.created_at > now() - $3::int * interval '1 ms'
            RETURNING s.id
          ) SELECT id FROM keys UNION ALL SELECT id FROM sessions_seen`,
      },
      [keyIds, sessionIds, longestMs],
    );
    return new Set(rows.map((row) => row.id));
  });
