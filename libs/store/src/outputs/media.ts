import type { Query, Store } from '../connection/store.js';

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

export const findMedia = ({ prisma }: Store, projectId: string, hashes: string[]): Promise<MediaRow[]> =>
  prisma.media.findMany({
    where: { projectId, sha256: { in: hashes } },
    select: { projectId: true, sha256: true, extension: true, bytes: true },
  });

/** First phase: media unused for an hour, and unfinished removals of earlier sweeps. */
export const markUnusedMedia = (query: Query, projectId: string, limit: number) =>
  query<MediaRow>(
    {
      name: 'mark-unused-media',
      text: `UPDATE media m SET deleting = true FROM (
          SELECT sha256 FROM media c WHERE c.project_id = $1
            AND (c.remove_after IS NULL OR c.remove_after <= now()) AND (c.deleting OR (
            c.touched_at < now() - interval '1 hour'
            AND NOT EXISTS (SELECT FROM media_uses u WHERE u.project_id = $1 AND u.sha256 = c.sha256)))
          LIMIT $2 FOR UPDATE SKIP LOCKED) unused
        WHERE m.project_id = $1 AND m.sha256 = unused.sha256
        RETURNING m.project_id AS "projectId", m.sha256, m.extension, m.bytes`,
    },
    [projectId, limit],
  );

/** Second phase, once the blobs are gone. */
export const buryMedia = (query: Query, projectId: string, hashes: readonly string[]) =>
  query(
    { name: 'bury-media', text: `DELETE FROM media WHERE project_id = $1 AND sha256 = ANY($2) AND deleting` },
    [projectId, hashes],
  );
