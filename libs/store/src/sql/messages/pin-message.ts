import type { Query } from '../../connection/store.js';

export interface PinMessage {
  projectId: string;
  threadId: string;
  seq: number;
  pinned: boolean;
  /** The state of the caller's decision. */
  contentVersion: number;
  activeGeneration: number;
  /** Change of the live tokens. */
  liveTokensDelta: number;
}

/**
 * Pins or unpins a message. Guarantees: nothing is written when the thread changed meanwhile (then it returns false); a
 * running compaction that was planned with the old pin cannot commit, because the content version moves.
 */
export async function pinMessage(query: Query, p: PinMessage): Promise<boolean> {
  const rows = await query(
    {
      name: 'pin-message',
      text: `
WITH thread AS (
  UPDATE threads AS t SET content_version = t.content_version + 1, live_tokens = t.live_tokens + $7::int,
    updated_at = now()
  WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.content_version = $5 AND t.generation = $6
  RETURNING t.uid
)
UPDATE messages m SET pinned = $4::bool FROM thread
WHERE m.project_id = $1 AND m.thread_uid = thread.uid AND m.seq = $3 RETURNING m.seq`,
    },
    [p.projectId, p.threadId, p.seq, p.pinned, p.contentVersion, p.activeGeneration, p.liveTokensDelta],
  );
  return rows.length === 1;
}
