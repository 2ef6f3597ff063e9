import type { Query } from '../../connection/store.js';

/**
 * What an erasure does with the outputs of a thread that forks share with it, as parts of its statement. `thread` has
 * the uid of the thread, and `isErased` says of which messages the content goes: all, or one. The thread uses no
 * shared output any more, and an output that another thread uses gets that one as its owner: it is in `handed_over` and
 * must not be deleted. Its bytes stay in the folder where they are. The transaction holds `lockSharedOutputs`.
 */
export const handOver = (isErased: (seq: string) => string): string => `handed_over AS (
  SELECT DISTINCT ON (u.output_id) u.output_id AS id, u.thread_uid AS owner
  FROM thread JOIN outputs o ON o.project_id = $1 AND o.thread_uid = thread.uid AND ${isErased('o.seq')}
  JOIN output_uses u ON u.project_id = $1 AND u.output_id = o.id
  ORDER BY u.output_id, u.thread_uid
), owners_changed AS (
  UPDATE outputs o SET thread_uid = h.owner, folder_uid = coalesce(o.folder_uid, thread.uid)
  FROM thread, handed_over h WHERE o.project_id = $1 AND o.id = h.id
), uses_ended AS (
  DELETE FROM output_uses u USING thread WHERE u.project_id = $1
    AND (u.thread_uid = thread.uid AND ${isErased('u.seq')}
      OR EXISTS (SELECT FROM handed_over h WHERE h.id = u.output_id AND h.owner = u.thread_uid))
)`;

/**
 * Locks the outputs that a thread shares with forks until the end of the transaction, in one order: two threads of
 * which each hands an output over to the other are erased one after the other. With `seq` those of one message.
 */
export async function lockSharedOutputs(
  query: Query,
  of: { projectId: string; threadUid: string; seq: number | null },
): Promise<void> {
  await query(
    {
      name: 'lock-shared-outputs',
      text: `SELECT FROM outputs o WHERE o.project_id = $1 AND ($3::int IS NULL OR o.seq = $3)
          AND o.id IN (
            SELECT u.output_id FROM output_uses u WHERE u.project_id = $1 AND u.thread_uid = $2
            UNION ALL
            SELECT own.id FROM outputs own JOIN output_uses u ON u.project_id = $1 AND u.output_id = own.id
            WHERE own.project_id = $1 AND own.thread_uid = $2)
        ORDER BY o.id FOR UPDATE`,
    },
    [of.projectId, of.threadUid, of.seq],
  );
}
