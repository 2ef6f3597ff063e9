import type { Query } from '../../connection/store.js';
import { stateOf, threadColumns, type ThreadRow } from '../../threads/thread-row.js';
import { dueSince } from './due-since.js';

export interface RetryMany {
  projectId: string;
  state: 'parked' | 'backoff';
  /** Of parked threads, those parked for this reason; null for all. */
  reason: string | null;
  /** Maximum per statement, the longest waiting first, to bound the number of locks. */
  limit: number;
}

/** Makes parked threads due again, or ends their back-off. Skips locked threads. */
export const retryMany = (query: Query, { projectId, state, reason, limit }: RetryMany) =>
  query<ThreadRow>(
    {
      name: 'retry-many',
      text: `UPDATE threads AS t SET needs_compaction = true, requested_at = ${dueSince('t')},
          park_reason = NULL, next_attempt_at = NULL, attempt = 0, lost_attempts = 0
        WHERE t.project_id = $1 AND t.uid IN (
          SELECT uid FROM threads w WHERE w.project_id = $1 AND w.deleted_at IS NULL
            AND (w.needs_compaction OR w.park_reason IS NOT NULL) AND ${stateOf('w')} = $2
            AND ($3::text IS NULL OR w.park_reason = $3)
          ORDER BY w.requested_at NULLS LAST LIMIT $4 FOR UPDATE SKIP LOCKED)
        RETURNING ${threadColumns('t')}`,
    },
    [projectId, state, reason, limit],
  );
