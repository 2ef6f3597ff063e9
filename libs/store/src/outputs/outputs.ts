import type { Query, Store } from '../connection/store.js';
import type { Prisma } from '../generated/client.js';
import { sharedOutputs, type SharedRange } from './output-uses.js';

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
  linesPerMark: number;
  /** Blob of the posted content, where the text cannot give it back. */
  original: { key: string; bytes: number; sha256: string } | null;
  place: number;
  chunkHashes: Buffer | null;
  tool: string | null;
  toolCallId: string | null;
  /** How long it is kept, from now by the database's clock. */
  ttlMs: number;
  /** Set for an upload: the thread it belongs to, and the hash of the stub that its message will hold. */
  upload: { threadUid: string; stubHash: Buffer } | null;
}

export interface Staged {
  createdAt: Date;
  expiresAt: Date;
}

/** Declares an output before its bytes can be read; the append of its message makes it ready. */
export async function stageOutput(query: Query, o: NewOutput): Promise<Staged> {
  const rows = await query<Staged>(
    {
      name: 'stage-output',
      text: `INSERT INTO outputs (project_id, id, state, blob_key, bytes, lines, tokens, content_type, kind, sha256,
          line_index, place, chunk_hashes, tool, tool_call_id, expires_at, original_key, original_bytes, original_sha256,
          lines_per_mark, thread_uid, stub_hash)
        VALUES ($1, $2, 'staging', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
          now() + $15::float8 * interval '1 ms', $16, $17, $18, $19, $20, $21)
        RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
    },
    [
      o.projectId,
      o.id,
      o.blobKey,
      o.bytes,
      o.lines,
      o.tokens,
      o.contentType,
      o.kind,
      o.sha256,
      o.lineIndex,
      o.place,
      o.chunkHashes,
      o.tool,
      o.toolCallId,
      o.ttlMs,
      o.original?.key ?? null,
      o.original?.bytes ?? null,
      o.original?.sha256 ?? null,
      o.linesPerMark,
      o.upload?.threadUid ?? null,
      o.upload?.stubHash ?? null,
    ],
  );
  return rows[0]!;
}

/** Content in rows from before it was stored as a blob; only the original view reads it. */
const omit = { original: true } as const;

/** An output; staging ones are invisible. */
export const findOutput = ({ prisma }: Store, projectId: string, id: string) =>
  prisma.output.findFirst({ where: { projectId, id, state: { not: 'staging' } }, omit });

export type OutputRow = NonNullable<Awaited<ReturnType<typeof findOutput>>>;

export const findOutputs = ({ prisma }: Store, projectId: string, ids: string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : prisma.output.findMany({ where: { projectId, id: { in: ids } }, omit });

/** Outputs of these messages, by index; of a fork also those that it shares. */
export async function findOutputsOfMessages(
  store: Store,
  of: OutputsOfThread,
  seqs: number[],
): Promise<OutputRow[]> {
  if (seqs.length === 0) return [];
  const range = { from: 0, through: maxSeq, seqs };
  const rows = await ofThread(store, of, range, { seq: { in: seqs } });
  return rows.sort((a, b) => a.seq! - b.seq! || a.place - b.place);
}

interface OutputsOfThread {
  projectId: string;
  threadUid: string;
}

/**
 * Outputs of a thread that match, its own and those that it shares as a fork, in no order. Two reads by an index:
 * Postgres would read all outputs of the project for one condition on both tables.
 */
async function ofThread(
  { prisma, query }: Store,
  { projectId, threadUid }: OutputsOfThread,
  range: SharedRange,
  where: Prisma.OutputWhereInput,
  page: { orderBy?: Prisma.OutputOrderByWithRelationInput[]; take?: number } = {},
): Promise<OutputRow[]> {
  const [own, ids] = await Promise.all([
    prisma.output.findMany({ where: { ...where, projectId, threadUid }, omit, ...page }),
    sharedOutputs(query, { projectId, threadUid, ...range }),
  ]);
  if (ids.length === 0) return own;
  const shared = await prisma.output.findMany({ where: { ...where, projectId, id: { in: ids } }, omit });
  return [...own, ...shared];
}

/** Posted contents that are in the rows, by id: those from before `originalKey`. */
export async function findInlineOriginals(
  { prisma }: Store,
  projectId: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const where = { projectId, id: { in: ids }, original: { not: null } };
  const rows = await prisma.output.findMany({ where, select: { id: true, original: true } });
  return new Map(rows.map(({ id, original }) => [id, original!]));
}

/** Readable outputs of a range of messages, the newest message's first. */
export async function readableOutputsBetween(
  store: Store,
  { projectId, threadUid, from, through }: OutputsOfThread & { from: number; through: number },
): Promise<OutputRow[]> {
  const where = { state: 'ready', seq: { gte: from, lte: through } };
  const rows = await ofThread(store, { projectId, threadUid }, { from, through }, where);
  return rows.sort(newestFirst);
}

const newestFirst = (a: OutputRow, b: OutputRow): number => b.seq! - a.seq! || a.place - b.place;

/** Outputs of a thread, those of the newest message first, after this one. */
export async function listOutputs(
  store: Store,
  of: OutputsOfThread,
  after: { seq: number; place: number } | null,
  limit: number,
): Promise<OutputRow[]> {
  const range = { from: 0, through: after?.seq ?? maxSeq, place: after?.place ?? null, limit };
  const where = after
    ? { OR: [{ seq: { lt: after.seq } }, { seq: after.seq, place: { gt: after.place } }] }
    : { seq: { not: null } };
  const orderBy = [{ seq: 'desc' as const }, { place: 'asc' as const }];
  const rows = await ofThread(store, of, range, where, { orderBy, take: limit });
  return rows.sort(newestFirst).slice(0, limit);
}

const maxSeq = 2_147_483_647;

/** Marks an output whose bytes are damaged: it is never served again, and is kept for analysis. */
export async function markCorrupt({ prisma }: Store, projectId: string, id: string): Promise<void> {
  await prisma.output.updateMany({ where: { projectId, id, state: 'ready' }, data: { state: 'corrupt' } });
}

/** Pins a ready output; unpinning one that is gone changes nothing. */
export const pinOutput = (query: Query, of: { projectId: string; id: string; pinned: boolean }) =>
  query(
    {
      name: 'pin-output',
      text: `UPDATE outputs SET pinned = $3 WHERE project_id = $1 AND id = $2 AND state = 'ready'`,
    },
    [of.projectId, of.id, of.pinned],
  );

/** The id of the thread with this uid; undefined where there is none, or it was removed. */
export const threadIdOf = async (
  { prisma }: Store,
  projectId: string,
  uid: string,
): Promise<string | undefined> =>
  (await prisma.thread.findFirst({ where: { projectId, uid }, select: { id: true } }))?.id;
