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

/** The name of the tool that an earlier assistant message called under this id, newest first. */
export async function findToolCall(
  { prisma }: Store,
  where: { projectId: string; threadUid: string; callId: string },
): Promise<{ body: string; format: string } | undefined> {
  const row = await prisma.message.findFirst({
    where: {
      projectId: where.projectId,
      threadUid: where.threadUid,
      calls: { contains: JSON.stringify(where.callId) },
    },
    orderBy: { seq: 'desc' },
    select: { body: true, format: true },
  });
  return row ?? undefined;
}
