import type { Store } from './connection/store.js';

/** Messages of a thread by seq, between two exclusive bounds. */
export const listMessages = (
  { prisma }: Store,
  range: { projectId: string; threadUid: string; after: number; before: number; limit: number },
) =>
  prisma.message.findMany({
    where: {
      projectId: range.projectId,
      threadUid: range.threadUid,
      seq: { gt: range.after, lt: range.before },
    },
    orderBy: { seq: 'asc' },
    take: range.limit,
  });

export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number];
