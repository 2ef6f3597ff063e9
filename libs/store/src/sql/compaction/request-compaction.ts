import type { Query } from '../../connection/store.js';
import { threadColumns, type ThreadRow } from '../../threads/thread-row.js';
import { dueSince } from './due-since.js';

/** A manual request; the worker reads it with the claim. */
export interface CompactionRequest {
  kind: 'manual' | 'rebuild';
  /** Overrides for this one compaction, as PolicyInput. */
  policy?: unknown;
  /** The newest message of then: the same request for more messages is another one. */
  seq?: number;
}

/** Makes a thread due now: ends a back-off, and unparks it. Returns undefined for an unknown or erased thread. */
export async function requestCompaction(
  query: Query,
  projectId: string,
  threadId: string,
  request: CompactionRequest | null,
): Promise<ThreadRow | undefined> {
  const rows = await query<ThreadRow>(
    {
      name: 'request-compaction',
      text: `UPDATE threads AS t SET needs_compaction = true, requested_at = ${dueSince('t')},
          request = coalesce($3::text, t.request), park_reason = NULL, next_attempt_at = NULL, attempt = 0,
          lost_attempts = 0
        WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL RETURNING ${threadColumns('t')}`,
    },
    [projectId, threadId, request === null ? null : JSON.stringify(request)],
  );
  return rows[0];
}
