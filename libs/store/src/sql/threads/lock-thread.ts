import type { Query } from '../../connection/store.js';

/**
 * Locks a thread row until the end of the transaction, against concurrent appends. Returns undefined when there is no
 * such thread.
 */
export async function lockThread(query: Query, projectId: string, id: string) {
  const rows = await query<{ uid: string; nextSeq: number; deletedAt: Date | null }>(
    {
      name: 'lock-thread',
      text: `SELECT uid, next_seq AS "nextSeq", deleted_at AS "deletedAt" FROM threads WHERE project_id = $1 AND id = $2 FOR UPDATE`,
    },
    [projectId, id],
  );
  return rows[0];
}
