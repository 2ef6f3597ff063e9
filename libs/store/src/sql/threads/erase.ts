import type { Query } from '../../connection/store.js';
import { handOver } from '../outputs/hand-over.js';
import { erasedOutput } from '../outputs/erased-output.js';
import type { SeqRange } from '../messages/full-ranges.js';

/**
 * Deletes some messages of a thread, and what contexts that ended with them showed. Part of the transaction of `erase`,
 * for a thread of which that would delete too many. The caller holds the lock of the thread.
 */
export const eraseRange = (
  query: Query,
  of: SeqRange & { projectId: string; threadUid: string },
): Promise<object[]> =>
  query(
    {
      name: 'erase-range',
      text: `WITH m AS (DELETE FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq > $3 AND seq <= $4)
        DELETE FROM served_contexts WHERE project_id = $1 AND thread_uid = $2 AND seq > $3 AND seq <= $4`,
    },
    [of.projectId, of.threadUid, of.after, of.through],
  );

/**
 * Erases a thread's content in one statement: messages, summaries, instructions, attempts, rewinds, served contexts and
 * ends of histories are deleted, outputs are marked for the sweep unless a fork shares them, and the row stays as a
 * tombstone, so that a late append cannot recreate the id and a running compaction cannot commit. False when there is no
 * such thread. The caller holds the locks of the thread and of its shared outputs, so that this statement sees everything
 * written before it.
 */
export async function erase(query: Query, projectId: string, threadId: string): Promise<boolean> {
  const rows = await query(
    {
      name: 'erase',
      text: `
WITH thread AS (
  UPDATE threads AS t SET deleted_at = now(), content_version = t.content_version + 1, model = NULL, system = NULL,
    tools = NULL, metadata = '{}', policy = '{}', needs_compaction = false, request = NULL, last_error = NULL, park_reason = NULL,
    live_tokens = 0, covered_through = 0, generation = 0, lease_until = NULL, prepare_at = NULL, updated_at = now()
  WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL RETURNING t.uid
), m AS (DELETE FROM messages USING thread WHERE messages.project_id = $1 AND thread_uid = thread.uid),
s AS (DELETE FROM summaries USING thread WHERE summaries.project_id = $1 AND thread_uid = thread.uid),
c AS (DELETE FROM served_contexts c USING thread WHERE c.project_id = $1 AND c.thread_uid = thread.uid),
h AS (DELETE FROM history_ends h USING thread WHERE h.project_id = $1 AND h.thread_uid = thread.uid),
p AS (DELETE FROM served_prompts p USING thread WHERE p.project_id = $1 AND p.thread_uid = thread.uid),
i AS (DELETE FROM instructions i USING thread WHERE i.project_id = $1 AND i.thread_uid = thread.uid),
r AS (DELETE FROM rewinds r USING thread WHERE r.project_id = $1 AND r.thread_uid = thread.uid),
u AS (DELETE FROM media_uses u USING thread WHERE u.project_id = $1 AND u.thread_uid = thread.uid),
a AS (DELETE FROM compaction_attempts a USING thread WHERE a.project_id = $1 AND a.thread_uid = thread.uid),
${handOver(() => 'true')},
o AS (
  UPDATE outputs o SET state = CASE WHEN o.state = 'deleted' THEN o.state ELSE 'deleting' END,
    delete_after = CASE WHEN o.state = 'deleted' THEN o.delete_after ELSE now() END, ${erasedOutput}
  FROM thread WHERE o.project_id = $1 AND o.thread_uid = thread.uid AND o.id NOT IN (SELECT id FROM handed_over)
)
SELECT uid FROM thread`,
    },
    [projectId, threadId],
  );
  return rows.length === 1;
}
