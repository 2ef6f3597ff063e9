import type { Query } from '../../connection/store.js';

export interface SweptBlob {
  id: string;
  blobKey: string;
  originalKey: string | null;
  bytes: string;
}

/** Maximum of rows per statement, to bound the number of locks. */
const batch = 500;

/**
 * First phase: expired outputs become unreadable. Their bytes stay for a grace period, so that a running read finishes.
 * Skips pinned outputs, and those that have not expired by the database's clock.
 */
export const expireOutputs = (query: Query, projectId: string, graceMs: number) =>
  query<SweptBlob>(
    {
      name: 'expire-outputs',
      text: `UPDATE outputs SET state = 'deleting', delete_after = now() + $2::int * interval '1 ms', original = NULL
        WHERE (project_id, id) IN (
          SELECT project_id, id FROM outputs
          WHERE project_id = $1 AND state = 'ready' AND expires_at < now() AND NOT pinned
          ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
          AND state = 'ready' AND NOT pinned
        RETURNING id, blob_key AS "blobKey", original_key AS "originalKey", bytes`,
    },
    [projectId, graceMs],
  );

/**
 * Merges the changes of a project's readable bytes, so that the budget is compared with one row and the newest changes.
 */
export const foldOutputBytes = (query: Query, projectId: string) =>
  query(
    {
      name: 'fold-output-bytes',
      text: `WITH gone AS (DELETE FROM output_bytes WHERE project_id = $1 RETURNING bytes)
        INSERT INTO output_bytes (project_id, bytes)
        SELECT $1, sum(bytes) FROM gone HAVING count(*) > 0`,
    },
    [projectId],
  );

/**
 * The same for the oldest outputs of a project with more than `maxBytes`. Reads the sum that a trigger maintains and
 * the oldest outputs, never all of them. Sum and states come from one snapshot, and rows that another sweep locks are
 * skipped, so two concurrent sweeps expire no more than one.
 */
export const expireOverBudget = (query: Query, projectId: string, maxBytes: number, graceMs: number) =>
  query<SweptBlob>(
    {
      name: 'expire-over-budget',
      text: `WITH held AS (SELECT coalesce(sum(bytes), 0) - $2::bigint AS excess FROM output_bytes WHERE project_id = $1)
        UPDATE outputs SET state = 'deleting', delete_after = now() + $3::int * interval '1 ms', original = NULL
        WHERE (project_id, id) IN (
          SELECT project_id, id FROM (
            SELECT project_id, id, sum(bytes) OVER (ORDER BY created_at, id) - bytes AS older
            FROM (SELECT project_id, id, bytes + coalesce(original_bytes, 0) AS bytes, created_at FROM outputs
              WHERE project_id = $1 AND state = 'ready' AND NOT pinned AND (SELECT excess FROM held) > 0
              ORDER BY created_at, id LIMIT ${batch}) oldest) ordered
          WHERE older < (SELECT excess FROM held))
          AND state = 'ready' AND NOT pinned
        RETURNING id, blob_key AS "blobKey", original_key AS "originalKey", bytes`,
    },
    [projectId, maxBytes, graceMs],
  );

/**
 * Staging rows without a message after an hour or more: from a crashed append, or an upload that was never posted. An
 * upload gets its row when its last byte is stored, so a running upload is never affected.
 */
export const abandonStaging = (query: Query, projectId: string) =>
  query(
    {
      name: 'abandon-staging',
      text: `UPDATE outputs SET state = 'deleting', delete_after = now(), original = NULL, thread_uid = NULL
        WHERE project_id = $1 AND state = 'staging' AND created_at < now() - interval '1 hour'`,
    },
    [projectId],
  );

/** Second phase: outputs after their grace period, whose blobs may be removed. */
export const deletableOutputs = (query: Query, projectId: string) =>
  query<SweptBlob>(
    {
      name: 'deletable-outputs',
      text: `SELECT id, blob_key AS "blobKey", original_key AS "originalKey", bytes + coalesce(original_bytes, 0) AS bytes
        FROM outputs
        WHERE project_id = $1 AND state = 'deleting' AND delete_after <= now() ORDER BY delete_after LIMIT ${batch}`,
    },
    [projectId],
  );

/** Erased threads whose folder in storage still exists. */
export const erasedThreads = (query: Query, projectId: string) =>
  query<{ uid: string }>(
    {
      name: 'erased-threads',
      text: `SELECT uid FROM threads WHERE project_id = $1 AND deleted_at IS NOT NULL AND files_removed_at IS NULL
          AND (remove_after IS NULL OR remove_after <= now())
        ORDER BY deleted_at LIMIT ${batch}`,
    },
    [projectId],
  );

/** Marks them once their folders are gone. */
export const markFilesRemoved = (query: Query, projectId: string, uids: readonly string[]) =>
  query(
    {
      name: 'mark-files-removed',
      text: `UPDATE threads SET files_removed_at = now() WHERE project_id = $1 AND uid = ANY($2)`,
    },
    [projectId, uids],
  );

/** Delay before a failed removal is retried: a minute, doubling each time, at most a day. */
const backOff = `interval '1 minute' * least(power(2, least(removal_attempts, 20)), 1440)`;

/** Outputs whose blobs could not be removed. */
export const postponeOutputs = (query: Query, projectId: string, ids: readonly string[]) =>
  query(
    {
      name: 'postpone-outputs',
      text: `UPDATE outputs SET removal_attempts = removal_attempts + 1, delete_after = now() + ${backOff}
        WHERE project_id = $1 AND id = ANY($2) AND state = 'deleting'`,
    },
    [projectId, ids],
  );

/** Erased threads whose folders could not be removed. */
export const postponeFiles = (query: Query, projectId: string, uids: readonly string[]) =>
  query(
    {
      name: 'postpone-files',
      text: `UPDATE threads SET removal_attempts = removal_attempts + 1, remove_after = now() + ${backOff}
        WHERE project_id = $1 AND uid = ANY($2)`,
    },
    [projectId, uids],
  );

/** Media whose blobs could not be removed. */
export const postponeMedia = (query: Query, projectId: string, hashes: readonly string[]) =>
  query(
    {
      name: 'postpone-media',
      text: `UPDATE media SET removal_attempts = removal_attempts + 1, remove_after = now() + ${backOff}
        WHERE project_id = $1 AND sha256 = ANY($2) AND deleting`,
    },
    [projectId, hashes],
  );

/** After the blobs are gone: only tombstones remain. */
export const buryOutputs = (query: Query, projectId: string, ids: readonly string[]) =>
  query(
    {
      name: 'bury-outputs',
      text: `UPDATE outputs SET state = 'deleted', deleted_at = now(), line_index = '{}', chunk_hashes = NULL
        WHERE project_id = $1 AND id = ANY($2) AND state = 'deleting'`,
    },
    [projectId, ids],
  );

/** The readable bytes of a project, and the version of the settings that bound them. */
export async function heldOutputBytes(query: Query, projectId: string) {
  const rows = await query<{ bytes: number; settingsVersion: number }>(
    {
      name: 'held-output-bytes',
      text: `SELECT (SELECT coalesce(sum(bytes), 0)::float8 FROM output_bytes WHERE project_id = $1) AS bytes,
          settings_version AS "settingsVersion" FROM projects WHERE id = $1`,
    },
    [projectId],
  );
  return rows[0] ?? { bytes: 0, settingsVersion: 0 };
}
