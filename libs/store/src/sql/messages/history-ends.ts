import type { Query } from '../../connection/store.js';
import { headSeqOf } from '../../threads/thread-row.js';

/** Where the conversation of a caller who names no thread stood after a call. */
export interface HistoryEnd {
  projectId: string;
  threadId: string;
  /** The thread's newest message then. */
  seq: number;
  /** Of the whole conversation up to there. */
  digest: string;
}

export interface FoundEnd extends Omit<HistoryEnd, 'projectId'> {
  /** The thread stands there, and no call has gone on from it: this one may. */
  isOpen: boolean;
}

const isOpenEnd = `NOT e.taken AND ${headSeqOf('t')} = e.seq`;

/**
 * Finds the end with the first of these digests that is known, whatever thread it is in; of several one that is open, or
 * else the newest. Ends in rewound messages and in erased threads are none.
 */
export async function findHistoryEnd(
  query: Query,
  projectId: string,
  digests: readonly string[],
): Promise<FoundEnd | undefined> {
  const rows = await query<FoundEnd>(
    {
      name: 'find-history-end',
      text: `SELECT t.id AS "threadId", e.seq, e.digest, ${isOpenEnd} AS "isOpen"
        FROM unnest($2::text[]) WITH ORDINALITY AS asked(digest, place)
        JOIN history_ends e ON e.project_id = $1 AND e.digest = asked.digest
        JOIN threads t ON t.project_id = $1 AND t.uid = e.thread_uid AND t.deleted_at IS NULL
        WHERE EXISTS (SELECT FROM messages m
          WHERE m.project_id = $1 AND m.thread_uid = e.thread_uid AND m.seq = e.seq AND m.rewound_before = 0)
        ORDER BY asked.place, ${isOpenEnd} DESC, e.ended_at DESC LIMIT 1`,
    },
    [projectId, digests],
  );
  return rows[0];
}

/** Takes an open end for one call. False when another call was first, or the thread has gone on. */
export async function takeHistoryEnd(
  query: Query,
  { projectId, threadId, seq, digest }: HistoryEnd,
): Promise<boolean> {
  const rows = await query(
    {
      name: 'take-history-end',
      text: `UPDATE history_ends e SET taken = true FROM threads t
        WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL
          AND e.project_id = $1 AND e.thread_uid = t.uid AND e.seq = $3 AND e.digest = $4 AND ${isOpenEnd}
        RETURNING e.seq`,
    },
    [projectId, threadId, seq, digest],
  );
  return rows.length === 1;
}

/** The ends of a thread that are kept: a caller seldom goes back further, and then has a new thread. */
const keptEnds = 64;

/** Records where a conversation ends now, open for its next call. Nothing is written for an erased thread. */
export async function recordHistoryEnd(query: Query, end: HistoryEnd): Promise<void> {
  await query(
    {
      name: 'record-history-end',
      text: `WITH thread AS (
          SELECT uid FROM threads WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE
        ), forgotten AS (
          DELETE FROM history_ends e USING thread WHERE e.project_id = $1 AND e.thread_uid = thread.uid AND e.seq <= (
            SELECT older.seq FROM history_ends older WHERE older.project_id = $1 AND older.thread_uid = thread.uid
            ORDER BY older.seq DESC OFFSET ${keptEnds - 1} LIMIT 1)
        )
        INSERT INTO history_ends (project_id, thread_uid, seq, digest)
        SELECT $1::uuid, uid, $3::int, $4::text FROM thread
        ON CONFLICT (project_id, thread_uid, seq)
        DO UPDATE SET digest = excluded.digest, taken = false, ended_at = now()`,
    },
    [end.projectId, end.threadId, end.seq, end.digest],
  );
}
