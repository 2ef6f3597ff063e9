import type { Query, Store } from '../connection/store.js';
import { oneByOne } from '../sql/messages/unnested.js';

export interface MediaRow {
  projectId: string;
  sha256: string;
  extension: string;
  bytes: number;
}

/**
 * Reserves these bytes for use: no sweep removes them for the next hour. Returns the extension they were first stored
 * under, which is part of their key; `deleting` when a sweep is removing them.
 */
export async function touchMedia(
  query: Query,
  media: MediaRow,
): Promise<{ extension: string; isNew: boolean; deleting: boolean }> {
  const rows = await query<{ extension: string; isNew: boolean; deleting: boolean }>(
    {
      name: 'touch-media',
      text: `INSERT INTO media AS m (project_id, sha256, extension, bytes) VALUES ($1, $2, $3, $4)
        ON CONFLICT (project_id, sha256) DO UPDATE SET touched_at = CASE WHEN m.deleting THEN m.touched_at ELSE now() END
        RETURNING extension, deleting, xmax = 0 AS "isNew"`,
    },
    [media.projectId, media.sha256, media.extension, media.bytes],
  );
  return rows[0]!;
}

/** Reserves media that are there for another hour. Returns how many they are. */
export async function prolongMedia(
  query: Query,
  projectId: string,
  hashes: readonly string[],
): Promise<number> {
  const rows = await query(
    {
      name: 'prolong-media',
      text: `UPDATE media SET touched_at = now() WHERE project_id = $1 AND sha256 = ANY($2) AND NOT deleting RETURNING sha256`,
    },
    [projectId, hashes],
  );
  return rows.length;
}

export const findMedia = ({ prisma }: Store, projectId: string, hashes: string[]): Promise<MediaRow[]> =>
  prisma.media.findMany({
    where: { projectId, sha256: { in: hashes } },
    select: { projectId: true, sha256: true, extension: true, bytes: true },
  });

/**
 * Locks media that a sweep has to look at: touched more than an hour ago, and not known to be in use. Skips those whose
 * failed removal is not due, and those whose use ends at this moment.
 */
export async function lockUnsettledMedia(query: Query, projectId: string, limit: number): Promise<string[]> {
  const rows = await query<{ sha256: string }>(
    {
      name: 'lock-unsettled-media',
      text: `SELECT sha256 FROM media
        WHERE project_id = $1 AND NOT in_use AND touched_at < now() - interval '1 hour'
          AND (remove_after IS NULL OR remove_after <= now())
        ORDER BY touched_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    },
    [projectId, limit],
  );
  return rows.map(({ sha256 }) => sha256);
}

/**
 * First phase of a removal: of these media, marks those that nothing uses, and returns them with those that an earlier
 * sweep marked. The others are in use until a use ends. The caller holds their locks since an earlier statement of the
 * same transaction, so that this one sees each use that ended before, and one that ends later marks them again.
 */
export const settleMedia = (query: Query, projectId: string, hashes: readonly string[]) =>
  query<MediaRow>(
    {
      name: 'settle-media',
      text: `WITH settled AS (
          UPDATE media m SET in_use = seen.used, deleting = NOT seen.used
          FROM unnest($2::text[]) AS hash CROSS JOIN LATERAL (
            SELECT sha256, NOT deleting AND EXISTS (
                SELECT FROM media_uses u WHERE u.project_id = $1 AND u.sha256 = hash ${oneByOne}) AS used
            FROM media WHERE project_id = $1 AND sha256 = hash ${oneByOne}) seen
          WHERE m.project_id = $1 AND m.sha256 = seen.sha256
          RETURNING m.project_id AS "projectId", m.sha256, m.extension, m.bytes, m.deleting
        ) SELECT "projectId", sha256, extension, bytes FROM settled WHERE deleting`,
    },
    [projectId, hashes],
  );

/** Second phase, once the blobs are gone. */
export const buryMedia = (query: Query, projectId: string, hashes: readonly string[]) =>
  query(
    { name: 'bury-media', text: `DELETE FROM media WHERE project_id = $1 AND sha256 = ANY($2) AND deleting` },
    [projectId, hashes],
  );
