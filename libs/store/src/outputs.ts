import type { Query, Store } from './store.js';

export interface NewOutput {
  projectId: string;
  id: string;
  blobKey: string;
  bytes: number;
  lines: number;
  tokens: number;
  contentType: string;
  kind: string;
  sha256: string;
  lineIndex: number[];
  original: string | null;
  place: number;
  chunkHashes: Buffer | null;
  tool: string | null;
  toolCallId: string | null;
  expiresAt: Date;
}

/** Declares an output before its bytes are written; the append of its message makes it ready. */
export async function stageOutput({ prisma }: Store, output: NewOutput): Promise<void> {
  await prisma.output.create({
    data: {
      ...output,
      state: 'staging',
      bytes: BigInt(output.bytes),
      lineIndex: output.lineIndex.map(BigInt),
      chunkHashes: output.chunkHashes && new Uint8Array(output.chunkHashes),
    },
  });
}

/** An output, staging ones left out: nobody may know of them yet. */
export const findOutput = ({ prisma }: Store, projectId: string, id: string) =>
  prisma.output.findFirst({ where: { projectId, id, state: { not: 'staging' } } });

export type OutputRow = NonNullable<Awaited<ReturnType<typeof findOutput>>>;

export const findOutputs = ({ prisma }: Store, projectId: string, ids: string[]) =>
  ids.length === 0 ? Promise.resolve([]) : prisma.output.findMany({ where: { projectId, id: { in: ids } } });

/** Outputs of these messages, in the order of their places. */
export const findOutputsOfMessages = (
  { prisma }: Store,
  of: { projectId: string; threadUid: string },
  seqs: number[],
): Promise<OutputRow[]> =>
  seqs.length === 0
    ? Promise.resolve([])
    : prisma.output.findMany({
        where: { ...of, seq: { in: seqs } },
        orderBy: [{ seq: 'asc' }, { place: 'asc' }],
      });

/** Outputs of a thread, newest first, below `before`. */
export const listOutputs = (
  { prisma }: Store,
  of: { projectId: string; threadUid: string },
  before: number,
  limit: number,
) =>
  prisma.output.findMany({
    where: { ...of, seq: { lt: before } },
    orderBy: { seq: 'desc' },
    take: limit,
  });

/** The bytes don't match what was stored: never served again, kept for whoever looks into it. */
export async function markCorrupt({ prisma }: Store, projectId: string, id: string): Promise<void> {
  await prisma.output.updateMany({ where: { projectId, id, state: 'ready' }, data: { state: 'corrupt' } });
}

/** Only an output that is there can be pinned; unpinning one that is gone changes nothing. */
export const pinOutput = (query: Query, of: { projectId: string; id: string; pinned: boolean }) =>
  query(
    {
      name: 'pin-output',
      text: `UPDATE outputs SET pinned = $3 WHERE project_id = $1 AND id = $2 AND state = 'ready'`,
    },
    [of.projectId, of.id, of.pinned],
  );

/** Ids of threads by uid, for output listings. */
export const threadIdOf = async (
  { prisma }: Store,
  projectId: string,
  uid: string,
): Promise<string | undefined> =>
  (await prisma.thread.findFirst({ where: { projectId, uid }, select: { id: true } }))?.id;
