import type { Store } from '../connection/store.js';

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
