import type { Query } from '../../connection/store.js';
import { threadColumns, type ThreadRow } from '../../threads/thread-row.js';

/** See due-since.ts. A thread that is no longer over its trigger is idle once it is unparked, and waits for nothing. */
const waitsFromNow = 'CASE WHEN needs_compaction THEN now() END';

/** Makes threads parked for this reason due again, in every project. Returns how many. */
export async function unparkAll(query: Query, reason: string): Promise<number> {
  const rows = await query(
    {
      name: 'unpark-all',
      text: `UPDATE threads SET park_reason = NULL, requested_at = ${waitsFromNow}, next_attempt_at = NULL, attempt = 0, lost_attempts = 0
        WHERE park_reason = $1 AND deleted_at IS NULL RETURNING id`,
    },
    [reason],
  );
  return rows.length;
}

/**
 * Makes threads of a project due again that were parked for one of these reasons: its windows or its policy changed. Part
 * of the transaction with that change, for nobody would do it later. Returns the threads.
 */
export const unparkOfProject = (query: Query, projectId: string, reasons: readonly string[]) =>
  query<ThreadRow>(
    {
      name: 'unpark-of-project',
      text: `UPDATE threads AS t SET park_reason = NULL, requested_at = ${waitsFromNow}, next_attempt_at = NULL, attempt = 0, lost_attempts = 0
        WHERE t.project_id = $1 AND t.park_reason = ANY($2) AND t.deleted_at IS NULL RETURNING ${threadColumns('t')}`,
    },
    [projectId, reasons],
  );
