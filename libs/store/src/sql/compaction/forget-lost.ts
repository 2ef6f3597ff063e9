import type { Query } from '../../connection/store.js';

/**
 * Attempts that will never report: another worker's commit made their threads idle after the holder of the newest lease
 * died. The next claim of a due thread records this itself.
 */
export const forgetLost = (query: Query, projectId: string) =>
  query(
    {
      name: 'forget-lost',
      text: `WITH over AS (
          UPDATE threads SET lease_until = NULL
          WHERE project_id = $1 AND NOT needs_compaction AND lease_until < now() AND uid = ANY(ARRAY(
            SELECT thread_uid FROM compaction_attempts WHERE project_id = $1 AND outcome IS NULL)) RETURNING uid
        )
        UPDATE compaction_attempts a SET outcome = 'lost', ended_at = now()
        FROM over WHERE a.project_id = $1 AND a.thread_uid = over.uid AND a.outcome IS NULL`,
    },
    [projectId],
  );
