import { asService } from '../connection/scope.js';
import type { Query } from '../connection/store.js';
import { isSuspendedProject } from './api-keys.js';

/**
 * Which of these keys, sessions and thread tokens are still valid, for open connections. An open connection is not a
 * request, so a session may still expire.
 */
export const liveCallers = (
  query: Query,
  {
    keyIds,
    sessionIds,
    tokenIds,
    idleMs,
    maxMs,
  }: { keyIds: string[]; sessionIds: string[]; tokenIds: string[]; idleMs: number; maxMs: number },
): Promise<Set<string>> =>
  asService(async () => {
    const rows = await query<{ id: string }>(
      {
        name: 'live-callers',
        text: `WITH keys AS (
            SELECT id FROM api_keys k WHERE id = ANY($1::uuid[]) AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > now()) AND NOT ${isSuspendedProject('k.project_id')}
          ) SELECT id FROM keys UNION ALL
            SELECT s.id FROM sessions s JOIN keys ON s.key_id = keys.id
            WHERE s.id = ANY($2::uuid[]) AND s.ended_at IS NULL AND s.seen_at > now() - $3::int * interval '1 ms'
              AND s.created_at > now() - $4::int * interval '1 ms' UNION ALL
            SELECT t.id FROM thread_tokens t JOIN keys ON t.key_id = keys.id
            JOIN threads th ON th.project_id = t.project_id AND th.uid = t.thread_uid AND th.deleted_at IS NULL
            WHERE t.id = ANY($5::uuid[]) AND t.revoked_at IS NULL AND t.expires_at > now()`,
      },
      [keyIds, sessionIds, idleMs, maxMs, tokenIds],
    );
    return new Set(rows.map((row) => row.id));
  });
