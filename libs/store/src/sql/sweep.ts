import type { Query } from '../store.js';

export interface SweptBlob {
  id: string;
  blobKey: string;
  bytes: string;
}

/** Rows of one statement at most, so that a sweep never holds many locks at once. */
const batch = 500;

/**
 * First phase: outputs past their time stop being readable. Their bytes stay for a grace period, so that a read in
 * flight finishes. Never touches a pinned output or one that has not expired by the database's clock.
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
        RETURNING id, blob_key AS "blobKey", bytes`,
    },
    [projectId, graceMs],
  );

/** The same for the oldest outputs of a project that holds more than `maxBytes`, until it no longer does. */
export const expireOverBudget = (query: Query, projectId: string, maxBytes: number, graceMs: number) =>
  query<SweptBlob>(
    {
      name: 'expire-over-budget',
      text: `UPDATE outputs SET state = 'deleting', delete_after = now() + $3::int * interval '1 ms', original = NULL
        WHERE (project_id, id) IN (
          SELECT project_id, id FROM (
            SELECT project_id, id, pinned, created_at,
              sum(bytes) OVER (ORDER BY pinned DESC, created_at DESC, id DESC) AS newer_and_this
            FROM outputs WHERE project_id = $1 AND state = 'ready') held
          WHERE newer_and_this > $2::bigint AND NOT pinned ORDER BY created_at LIMIT ${batch})
          AND state = 'ready' AND NOT pinned
        RETURNING id, blob_key AS "blobKey", bytes`,
    },
    [projectId, maxBytes, graceMs],
  );

/** Staging rows whose message never came: an append that died half way, an hour ago or more. */
export const abandonStaging = (query: Query, projectId: string) =>
  query(
    {
      name: 'abandon-staging',
      text: `UPDATE outputs SET state = 'deleting', delete_after = now(), original = NULL
        WHERE project_id = $1 AND state = 'staging' AND created_at < now() - interval '1 hour'`,
    },
    [projectId],
  );

/** Second phase: outputs whose grace is over; their blobs may be removed. */
export const deletableOutputs = (query: Query, projectId: string) =>
  query<SweptBlob>(
    {
      name: 'deletable-outputs',
      text: `SELECT id, blob_key AS "blobKey", bytes FROM outputs
        WHERE project_id = $1 AND state = 'deleting' AND delete_after <= now() ORDER BY delete_after LIMIT ${batch}`,
    },
    [projectId],
  );

/** Erased threads whose folder in storage is still there. */
export const erasedThreads = (query: Query, projectId: string) =>
  query<{ uid: string }>(
    {
      name: 'erased-threads',
      text: `SELECT uid FROM threads WHERE project_id = $1 AND deleted_at IS NOT NULL AND files_removed_at IS NULL
        ORDER BY deleted_at LIMIT ${batch}`,
    },
    [projectId],
  );

/** Once their folders are gone. */
export const markFilesRemoved = (query: Query, projectId: string, uids: readonly string[]) =>
  query(
    {
      name: 'mark-files-removed',
      text: `UPDATE threads SET files_removed_at = now() WHERE project_id = $1 AND uid = ANY($2)`,
    },
    [projectId, uids],
  );

/** After the blobs are gone, never before: only tombstones remain. */
export const buryOutputs = (query: Query, projectId: string, ids: readonly string[]) =>
  query(
    {
      name: 'bury-outputs',
      text: `UPDATE outputs SET state = 'deleted', deleted_at = now(), line_index = '{}'
        WHERE project_id = $1 AND id = ANY($2) AND state = 'deleting'`,
    },
    [projectId, ids],
  );
