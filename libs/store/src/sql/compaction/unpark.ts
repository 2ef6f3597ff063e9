import type { Query } from '../../connection/store.js';

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

/** Makes the irreducible threads of a project due again: its windows or its policy changed. */
export const unparkIrreducible = (query: Query, projectId: string) =>
  query(
    {
      name: 'unpark-irreducible',
      text: `UPDATE threads SET park_reason = NULL, requested_at = ${waitsFromNow}, next_attempt_at = NULL, attempt = 0, lost_attempts = 0
        WHERE project_id = $1 AND park_reason = 'irreducible' AND deleted_at IS NULL`,
    },
    [projectId],
  );
