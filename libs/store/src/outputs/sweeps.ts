import type { Query, Store } from '../connection/store.js';
import { forgetOldest } from '../sql/forget-oldest.js';

export const recordSweep = (
  { prisma }: Store,
  sweep: {
    projectId: string;
    durationMs: number;
    expired: number;
    overBudget: number;
    deleted: number;
    bytesFreed: bigint;
    orphans?: number;
    refused?: string | null;
    failed?: number;
    error?: string | null;
  },
) => prisma.sweep.create({ data: sweep });

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
