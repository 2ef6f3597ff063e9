import type { Query, Store } from '../connection/store.js';
import { forgetOldest } from '../sql/forget-oldest.js';

/** Records a sweep that has just ended: it began `durationMs` ago by the clock of the database. */
export const recordSweep = (
  query: Query,
  sweep: {
    projectId: string;
    durationMs: number;
    expired: number;
    overBudget: number;
    deleted: number;
    bytesFreed: bigint;
    orphans?: number;
    refused?: string | null;
    failed: number;
    error: string | null;
  },
) =>
  query(
    {
      name: 'record-sweep',
      text: `INSERT INTO sweeps (project_id, started_at, duration_ms, expired, over_budget, deleted, bytes_freed,
          orphans, refused, failed, error)
        VALUES ($1, now() - $2::int * interval '1 ms', $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    },
    [
      sweep.projectId,
      sweep.durationMs,
      sweep.expired,
      sweep.overBudget,
      sweep.deleted,
      String(sweep.bytesFreed),
      sweep.orphans ?? 0,
      sweep.refused ?? null,
      sweep.failed,
      sweep.error,
    ],
  );

export const recentSweeps = ({ prisma }: Store, projectId: string, limit: number) =>
  prisma.sweep.findMany({ where: { projectId }, orderBy: { startedAt: 'desc' }, take: limit });

/** The newest sweeps of a project stay, however old they are. */
const kept = 20;

/** When the oldest of those began. */
export const oldestKeptSweep = (projectId: string): string => `coalesce((SELECT started_at FROM sweeps
        WHERE project_id = ${projectId} ORDER BY started_at DESC OFFSET ${kept - 1} LIMIT 1), '-infinity')`;

/** Removes sweeps older than `keepMs`, at most a batch of the oldest and none of the newest 20. Returns how many. */
export const forgetSweeps = (query: Query, projectId: string, keepMs: number): Promise<number> =>
  forgetOldest(
    query,
    {
      name: 'forget-sweeps',
      table: 'sweeps',
      isOld: `project_id = $1 AND started_at < now() - $2::bigint * interval '1 ms'
            AND started_at < ${oldestKeptSweep('$1')}`,
      by: 'started_at',
    },
    [projectId, keepMs],
  );
