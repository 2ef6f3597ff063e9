import type { Query } from '../../connection/store.js';

/** What is asked for one message. */
export interface MessageHold {
  seq: number;
  hold: string;
  /** What the message weighs in a context then. */
  tokens: number;
}

/** The newest messages of a thread that are kept, or whose keeping is queued. What is released counts no further. */
export const readHolds = (query: Query, projectId: string, threadUid: string, limit: number) =>
  query<MessageHold>(
    {
      name: 'read-holds',
      text: `SELECT seq, hold, hold_tokens AS tokens FROM messages
        WHERE project_id = $1 AND thread_uid = $2 AND hold <> 'release' AND rewound_before = 0
        ORDER BY seq DESC LIMIT $3`,
    },
    [projectId, threadUid, limit],
  );

/**
 * Keeps or releases messages with the next fold; the last call for a message decides. Contexts do not change before
 * it, and a running compaction may follow them or not. Returns false when the thread was erased meanwhile.
 */
export async function holdMessages(
  query: Query,
  of: { projectId: string; threadId: string; holds: readonly MessageHold[] },
): Promise<boolean> {
  const rows = await query(
    {
      name: 'hold-messages',
      text: `
WITH thread AS (
  UPDATE threads AS t SET updated_at = now() WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL
  RETURNING t.uid
), held AS (
  UPDATE messages m SET hold = h.hold, hold_tokens = h.tokens
  FROM thread, unnest($3::int[], $4::text[], $5::int[]) AS h(seq, hold, tokens)
  WHERE m.project_id = $1 AND m.thread_uid = thread.uid AND m.seq = h.seq AND m.erased_at IS NULL
)
SELECT spillway_tell($1::uuid, thread.uid, 'thread.changed', '{}') FROM thread`,
    },
    [
      of.projectId,
      of.threadId,
      of.holds.map(({ seq }) => seq),
      of.holds.map(({ hold }) => hold),
      of.holds.map(({ tokens }) => tokens),
    ],
  );
  return rows.length === 1;
}
