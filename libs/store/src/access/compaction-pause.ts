import { asOperator } from '../connection/scope.js';
import type { Query } from '../connection/store.js';

/**
 * Whether the operator lets no worker compact threads of the project with this id: it is paused itself, or all are. A
 * claim, a renewal, and a commit of what a worker made ask this in their own statement, so after the pause none of them
 * begins.
 */
export const isPaused = (id: string): string =>
  `((SELECT paused_at FROM compaction_pause) IS NOT NULL
      OR EXISTS (SELECT FROM projects paused WHERE paused.id = ${id} AND paused.compaction_paused_at IS NOT NULL))`;

/** When the last pause of the project with this id ended; null without one. */
export const resumedAt = (id: string): string =>
  `greatest((SELECT resumed_at FROM compaction_pause),
      (SELECT resumed.compaction_resumed_at FROM projects resumed WHERE resumed.id = ${id}))`;

/** The pause of all projects, and how many are paused themselves. */
export interface ServerPause {
  /** Null while workers compact threads. */
  pausedAt: Date | null;
  pausedProjects: number;
}

const serverPause = `SELECT paused_at AS "pausedAt",
    (SELECT count(*)::int FROM projects WHERE compaction_paused_at IS NOT NULL AND erased_at IS NULL) AS "pausedProjects"`;

export const readServerPause = (query: Query): Promise<ServerPause> =>
  asOperator(async () => {
    const [pause] = await query<ServerPause>(
      { name: 'read-server-pause', text: `${serverPause} FROM compaction_pause` },
      [],
    );
    return pause!;
  });

/**
 * Pauses the compaction of all projects, or ends that; a project that is paused itself stays so. The time of the first
 * pause is kept. Safe to repeat.
 */
export const setServerPause = (query: Query, isPausedNow: boolean): Promise<ServerPause> =>
  asOperator(async () => {
    const [pause] = await query<ServerPause>(
      {
        name: 'set-server-pause',
        text: `WITH pause AS (
            UPDATE compaction_pause SET paused_at = CASE WHEN $1::boolean THEN coalesce(paused_at, now()) END,
              resumed_at = CASE WHEN NOT $1::boolean AND paused_at IS NOT NULL THEN now() ELSE resumed_at END
            RETURNING paused_at)
          ${serverPause} FROM pause`,
      },
      [isPausedNow],
    );
    return pause!;
  });

/** Since when no worker compacts threads of a project, and whether that is so for all projects. */
export interface CompactionPause {
  pausedAt: Date;
  scope: 'server' | 'project';
}

/** The pause that holds for a project, that of all projects first; undefined while workers compact its threads. */
export async function readCompactionPause(
  query: Query,
  projectId: string,
): Promise<CompactionPause | undefined> {
  const rows = await query<CompactionPause>(
    {
      name: 'read-compaction-pause',
      text: `SELECT paused_at AS "pausedAt", 'server' AS scope FROM compaction_pause WHERE paused_at IS NOT NULL
        UNION ALL
        SELECT compaction_paused_at, 'project' FROM projects WHERE id = $1 AND compaction_paused_at IS NOT NULL`,
    },
    [projectId],
  );
  return rows[0];
}
