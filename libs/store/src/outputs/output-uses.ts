import type { Query } from '../connection/store.js';

/** Messages of a fork, by seq. */
export interface SharedRange {
  from: number;
  through: number;
  /** Of these only. */
  seqs?: readonly number[];
  /** Of the message `through` only outputs after this one; null: all. */
  place?: number | null;
  limit?: number;
}

/** Ids of the outputs that messages of a fork share with other threads, those of the newest message first. */
export async function sharedOutputs(
  query: Query,
  {
    projectId,
    threadUid,
    from,
    through,
    seqs,
    place,
    limit,
  }: SharedRange & { projectId: string; threadUid: string },
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    {
      name: 'shared-outputs',
      text: `SELECT o.id FROM output_uses u JOIN outputs o ON o.project_id = u.project_id AND o.id = u.output_id
        WHERE u.project_id = $1 AND u.thread_uid = $2 AND u.seq BETWEEN $3 AND $4
          AND ($5::int[] IS NULL OR u.seq = ANY($5)) AND ($6::int IS NULL OR u.seq < $4 OR o.place > $6)
        ORDER BY u.seq DESC, o.place LIMIT $7`,
    },
    [projectId, threadUid, from, through, seqs ?? null, place ?? null, limit ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Which of these outputs messages of a thread share with their owner. */
export async function sharedAmong(
  query: Query,
  of: { projectId: string; threadUid: string },
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    {
      name: 'shared-among',
      text: `SELECT output_id AS id FROM output_uses WHERE project_id = $1 AND thread_uid = $2 AND output_id = ANY($3)`,
    },
    [of.projectId, of.threadUid, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether a message of the thread with this id of the client shares the output with its owner. */
export async function isSharedBy(
  query: Query,
  of: { projectId: string; threadId: string; outputId: string },
): Promise<boolean> {
  const rows = await query(
    {
      name: 'is-shared-by',
      text: `SELECT FROM threads t JOIN output_uses u ON u.project_id = t.project_id AND u.thread_uid = t.uid
        WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND u.output_id = $3`,
    },
    [of.projectId, of.threadId, of.outputId],
  );
  return rows.length > 0;
}

/**
 * Blobs in the folder of a thread that belong to another thread now. Their rows remove them.
 */
export async function keysOfOthers(query: Query, projectId: string, threadUid: string): Promise<Set<string>> {
  const rows = await query<{ blobKey: string; originalKey: string | null }>(
    {
      name: 'keys-of-others',
      text: `SELECT blob_key AS "blobKey", original_key AS "originalKey" FROM outputs
        WHERE project_id = $1 AND folder_uid = $2 AND state <> 'deleted'`,
    },
    [projectId, threadUid],
  );
  return new Set(rows.flatMap(({ blobKey, originalKey }) => [blobKey, originalKey ?? []].flat()));
}
