import type { Store } from './connection/store.js';

interface Of {
  projectId: string;
  threadUid: string;
}

/** Generations, newest first, below `before`. */
export const listSummaries = ({ prisma }: Store, of: Of, before: number, limit: number) =>
  prisma.summary.findMany({
    where: { ...of, generation: { lt: before } },
    orderBy: { generation: 'desc' },
    take: limit,
  });

export type SummaryRow = Awaited<ReturnType<typeof listSummaries>>[number];

export const findSummary = ({ prisma }: Store, of: Of, generation: number) =>
  prisma.summary.findFirst({ where: { ...of, generation } });

/** Generations, newest first, without their text. */
export const listGenerations = ({ prisma }: Store, of: Of, limit: number) =>
  prisma.summary.findMany({
    where: { ...of },
    omit: { fields: true, text: true, fidelity: true },
    orderBy: { generation: 'desc' },
    take: limit,
  });

export type GenerationRow = Awaited<ReturnType<typeof listGenerations>>[number];

/** Generations, oldest first, after `after`. */
export const listSummariesAfter = ({ prisma }: Store, of: Of, after: number, limit: number) =>
  prisma.summary.findMany({
    where: { ...of, generation: { gt: after } },
    orderBy: { generation: 'asc' },
    take: limit,
  });
