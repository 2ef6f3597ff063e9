import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BeyondBlob, BlobCorrupt, BlobMissing, mediaKey } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import {
  asProject,
  beginSnapshot,
  findOutputs,
  mediaOfThread,
  readBackupRows,
  readThreadBackup,
  type BackupHead,
  type MediaOfThread,
  type OutputRow,
} from '@spillway/store';
import { version } from '../operations/version.js';
import { readBytes } from '../outputs/read-output.js';
import type { Runtime } from '../runtime.js';
import { getThread } from '../threads/get-thread.js';
import { backupVersion, type BlobPart } from './backup-line.js';
import { contextDigest } from './context-digest.js';
import { Abandoned, LineWriter } from './line-writer.js';

/** Bytes of a blob in a line. */
const pieceBytes = 512 * 1024;
/** Bytes that may wait for the reader. */
const waitingBytes = 1024 * 1024;
const outputsAtOnce = 50;

interface ThreadToBackUp {
  projectId: string;
  id: string;
}

/**
 * Streams a thread with everything that its contexts are made of: its rows as they are at one moment, then its media and
 * the bytes of its outputs. Memory does not grow with the thread. A reader that takes nothing for fifteen seconds ends
 * the backup, because Postgres keeps old rows for it. Throws `thread_not_found` before the first line; what fails later
 * breaks the stream off, before its last line.
 */
export async function backUpThread(rt: Runtime, projectId: string, threadId: string): Promise<Readable> {
  const { id } = await getThread(rt, projectId, threadId);
  const out = new PassThrough({ highWaterMark: waitingBytes });
  // Without a listener an error after the reader left would end the process.
  out.on('error', () => undefined);
  void asProject(projectId, 'service', () => writeBackup(rt, { projectId, id }, new LineWriter(out))).catch(
    (error: unknown) => {
      if (!(error instanceof Abandoned)) rt.log.error({ err: error, projectId }, 'a backup broke off');
      out.destroy(error as Error);
    },
  );
  return out;
}

async function writeBackup(rt: Runtime, of: ThreadToBackUp, to: LineWriter): Promise<void> {
  const { head, outputs, media } = await rt.store.transaction(async (query) => {
    await beginSnapshot(query);
    const thread = await readThreadBackup(query, of.projectId, of.id);
    if (!thread) throw new SpillwayError('thread_not_found', 'No such thread.');
    const { uid: threadUid, madeAt, row: own } = thread;
    await to.line({
      type: 'spillway-thread',
      version: backupVersion,
      server: version,
      made_at: madeAt.toISOString(),
      id: of.id,
    });
    await to.json(rowLine('threads', own));
    const outputs: string[] = [];
    for await (const { table, row } of readBackupRows(query, { projectId: of.projectId, threadUid })) {
      await to.json(rowLine(table, row));
      if (table === 'outputs') {
        const { id, state } = JSON.parse(row) as { id: string; state: string };
        if (state === 'ready') outputs.push(id);
      }
    }
    return { head: thread, outputs, media: await mediaOfThread(query, of.projectId, threadUid) };
  });
  for (const one of media) await writeMedia(rt, of.projectId, one, to);
  for (let i = 0; i < outputs.length; i += outputsAtOnce) {
    const ids = outputs.slice(i, i + outputsAtOnce);
    const rows = new Map((await findOutputs(rt.store, of.projectId, ids)).map((row) => [row.id, row]));
    for (const id of ids) await writeOutput(rt, id, rows.get(id), to);
  }
  await to.end(await digestOf(rt, of, head));
}

const rowLine = (table: string, row: string): string => `{"type":"row","table":"${table}","row":${row}}`;

/** The digest of the context, while the thread is as it was written. */
async function digestOf(rt: Runtime, { projectId, id }: ThreadToBackUp, head: BackupHead) {
  const digest = await contextDigest(rt, projectId, id);
  return digest?.rowVersion === head.rowVersion ? digest.sha256 : null;
}

async function writeMedia(
  rt: Runtime,
  projectId: string,
  { sha256, extension, bytes: size }: MediaOfThread,
  to: LineWriter,
): Promise<void> {
  const key = mediaKey(projectId, sha256, extension);
  const bytes = await rt.blobs
    .read(key, { start: 0, end: size })
    .then(buffer)
    .catch((error: unknown) => {
      if (isLost(error)) return null;
      throw error;
    });
  const isWhole = bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256;
  await to.line({ type: 'media', sha256, extension, data: isWhole ? bytes.toString('base64') : null });
}

const isLost = (error: unknown): boolean =>
  error instanceof BlobMissing || error instanceof BlobCorrupt || error instanceof BeyondBlob;

/** The bytes of an output that the backup says is ready; a line that says which are missing, if some are. */
async function writeOutput(
  rt: Runtime,
  id: string,
  row: OutputRow | undefined,
  to: LineWriter,
): Promise<void> {
  const hasText = await writeUnlessLost(async () => {
    if (row?.state !== 'ready') throw new BlobMissing(id);
    const size = Number(row.bytes);
    const text = size === 0 ? [] : await readBytes(rt, row, { start: 0, end: size });
    const sha256 = await writePieces(to, { output: id, part: 'text' }, text);
    if (sha256 !== row.sha256) throw new BlobCorrupt(row.blobKey);
  });
  if (!hasText) return to.line({ type: 'missing', output: id });
  const { originalKey, originalBytes, originalSha256 } = row!;
  if (originalKey === null) return;
  const hasOriginal = await writeUnlessLost(async () => {
    const original = await rt.blobs.read(originalKey, { start: 0, end: Number(originalBytes) });
    const sha256 = await writePieces(to, { output: id, part: 'original' }, original);
    if (sha256 !== originalSha256) throw new BlobCorrupt(originalKey);
  });
  if (!hasOriginal) await to.line({ type: 'missing', output: id, part: 'original' });
}

/** Whether the bytes were there. */
async function writeUnlessLost(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isLost(error) || (error instanceof SpillwayError && error.code === 'output_gone')) return false;
    throw error;
  }
}

/** Returns the SHA-256 of what was written. */
async function writePieces(
  to: LineWriter,
  of: { output: string; part: BlobPart },
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const data = chunk.subarray(start, start + pieceBytes).toString('base64');
      await to.line({ type: 'bytes', ...of, data });
    }
  }
  return hash.digest('hex');
}
