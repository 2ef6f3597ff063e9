import { outputKey, type ArrivedBlob } from '@spillway/blobs';
import { SpillwayError, type Body } from '@spillway/engine';
import {
  isUniqueViolation,
  OutputTaken,
  prolongMedia,
  prolongOutputs,
  readThread,
  restoreThreadRow,
  UnknownColumn,
  type Query,
} from '@spillway/store';
import { createHash } from 'node:crypto';
import { storeMedia } from '../messages/media/store-media.js';
import type { Runtime } from '../runtime.js';
import { weighThread } from '../threads/weigh-thread.js';
import { ArrivingBlobs } from './arriving-blobs.js';
import { backupRefusal, backupVersion, refuseBackup, type MediaLine, type RowLine } from './backup-line.js';
import { contextDigest } from './context-digest.js';
import { LineReader, roomForLine, splitLines } from './line-reader.js';
import { RowBatches } from './row-batches.js';
import { refuseBadRow } from './restored-row.js';
import { restoredThreadRow, type CheckPolicy } from './restored-thread-row.js';
import { newUid } from '../threads/new-uid.js';

export interface RestoredThread {
  id: string;
  messages: number;
  summaries: number;
  outputs: number;
  /** Of these, outputs whose bytes were lost before the backup was made. */
  missingOutputs: number;
  media: number;
  missingMedia: number;
  /** Whether the context is that of the thread when it was backed up. Null when the backup does not say. */
  sameContext: boolean | null;
}

/**
 * Restores a thread from its backup under an id that is free. All of it is received and checked before a row of it is
 * written: its rows wait in storage, so that no transaction waits for the network. The rows are committed together, so
 * a backup that is cut off, altered or refused leaves no thread. Throws `invalid_request`, `thread_exists`,
 * `thread_erased`, `storage_unavailable`, and what the source of the bytes throws.
 */
export async function restoreThread(
  rt: Runtime,
  projectId: string,
  id: string,
  source: AsyncIterable<Buffer>,
  checkPolicy: CheckPolicy,
): Promise<RestoredThread> {
  await refuseTaken(rt, projectId, id);
  const of = { projectId, threadUid: newUid() };
  const reader = new LineReader(projectId, source);
  const blobs = new ArrivingBlobs(rt, of);
  const media = new Set<string>();
  const keepMedia = (): Promise<number> =>
    media.size === 0 ? Promise.resolve(0) : prolongMedia(rt.store.query, projectId, [...media]);
  const keeping = setInterval(() => {
    keepMedia().catch((failed: unknown) =>
      rt.log.warn({ err: failed, projectId }, 'media of a backup could not be reserved again'),
    );
  }, rt.timing.keepArrivedMs);
  const waiting = outputKey(projectId, of.threadUid);
  let rows: ArrivedBlob | null = null;
  let [rowBytes, longestRow] = [0, 0];
  const discard = async () => {
    await Promise.all([rows?.discard().then(() => rt.blobs.remove(waiting)), blobs.discard()]).catch(
      (failed: unknown) => {
        // The storage sweep removes what no row names.
        rt.log.error(
          { err: failed, projectId },
          'bytes of a backup that are not needed could not be removed',
        );
      },
    );
  };
  try {
    const { madeAt, idThen } = await readHead(reader);
    rows = await rt.blobs.writeStream(
      waiting,
      rowsOf(reader, blobs, (bytes) => {
        rowBytes += bytes;
        longestRow = Math.max(longestRow, bytes);
      }),
    );
    const counted = await receiveBlobs(rt, projectId, { reader, blobs, media });
    const end = await reader.takeEnd();
    reader.close();
    await rows.publish();
    await blobs.publish();
    const to = { ...of, id, isRenamed: id !== idThen, madeAt, waiting, bytes: rowBytes, checkPolicy };
    // Not in the transaction: an erasure locks media after threads.
    const kept = await keepMedia();
    const release = await roomForLine(projectId, longestRow);
    const { shared, ...counts } = await rt.store
      .transaction((query) => writeRows(rt, query, to, blobs))
      .finally(release);
    blobs.keepBut(shared);
    await discard();
    rt.settings.forget(projectId, id);
    await weighThread(rt, projectId, id);
    const digest = end.context_sha256 === null ? null : await contextDigest(rt, projectId, id);
    return {
      id,
      ...counts,
      outputs: blobs.count,
      missingOutputs: blobs.missing,
      media: counted.media,
      missingMedia: counted.missingMedia + media.size - kept,
      sameContext: end.context_sha256 === null ? null : digest?.sha256 === end.context_sha256,
    };
  } catch (error) {
    // After an outage nobody knows whether the rows were committed, and committed rows need their bytes. Those that no
    // row names are left to the storage sweep.
    if (!(error instanceof SpillwayError && error.code === 'database_unavailable')) await discard();
    throw refusal(error, id);
  } finally {
    clearInterval(keeping);
    reader.close();
  }
}

async function refuseTaken(rt: Runtime, projectId: string, id: string): Promise<void> {
  const existing = await readThread(rt.store.query, projectId, id);
  if (existing?.deletedAt) throw new SpillwayError('thread_erased', 'The thread with this id was erased.');
  if (existing) throw taken(id);
}

const taken = (id: string): SpillwayError =>
  new SpillwayError('thread_exists', `There is a thread ${id} already. Restore the backup under another id.`);

async function readHead(reader: LineReader): Promise<{ madeAt: Date; idThen: string }> {
  const { line } = await reader.take();
  if (line.type !== 'spillway-thread')
    return refuseBackup('it does not begin as the backup of a thread does.');
  if (line.version !== backupVersion)
    return refuseBackup(`it has the version ${line.version}; this server reads version ${backupVersion}.`);
  const madeAt = new Date(line.made_at);
  if (Number.isNaN(madeAt.getTime())) return refuseBackup('its time is not valid.');
  return { madeAt, idThen: line.id };
}

/** The lines of the rows, which wait in storage. Notes the outputs whose bytes follow. */
async function* rowsOf(
  reader: LineReader,
  blobs: ArrivingBlobs,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (;;) {
    const { line, bytes } = await reader.peek();
    if (line.type !== 'row') return;
    await reader.take();
    if (line.table === 'outputs') blobs.expect(line.row);
    count(bytes.length);
    yield bytes;
  }
}

async function receiveBlobs(
  rt: Runtime,
  projectId: string,
  { reader, blobs, media: arrived }: { reader: LineReader; blobs: ArrivingBlobs; media: Set<string> },
): Promise<{ media: number; missingMedia: number }> {
  let [media, missingMedia] = [0, 0];
  for (;;) {
    const { line } = await reader.peek();
    if (line.type === 'bytes') await blobs.receive(reader);
    else if (line.type === 'missing') {
      await reader.take();
      await blobs.lose(line);
    } else if (line.type === 'media') {
      await reader.take();
      media++;
      if (await restoreMedia(rt, projectId, line)) arrived.add(line.sha256);
      else missingMedia++;
    } else return { media, missingMedia };
  }
}

/** Media that no message uses in the end are swept an hour later. */
async function restoreMedia(rt: Runtime, projectId: string, line: MediaLine): Promise<boolean> {
  const { sha256, extension, data } = line;
  if (data === null) return false;
  const bytes = Buffer.from(data, 'base64');
  if (!/^[a-z0-9]{1,8}$/.test(extension) || createHash('sha256').update(bytes).digest('hex') !== sha256)
    return refuseBackup('media in it are not those that their line names.');
  const references = [{ path: [], sha256, extension, prefix: '' }];
  const body = {} as Body;
  await storeMedia(rt, projectId, { body, references, blobs: new Map([[sha256, bytes]]) });
  return true;
}

interface ToWrite {
  projectId: string;
  threadUid: string;
  id: string;
  /** It had another id when it was backed up. */
  isRenamed: boolean;
  madeAt: Date;
  /** Where the rows wait, and how many bytes they are. */
  waiting: string;
  bytes: number;
  checkPolicy: CheckPolicy;
}

async function writeRows(
  rt: Runtime,
  query: Query,
  to: ToWrite,
  blobs: ArrivingBlobs,
): Promise<{ messages: number; summaries: number; shared: string[] }> {
  const counts = new Map<string, number>();
  const batches = new RowBatches(query, to);
  for await (const bytes of splitLines(await rt.blobs.read(to.waiting, { start: 0, end: to.bytes }))) {
    const { table, row } = JSON.parse(bytes.toString('utf8')) as RowLine;
    refuseBadRow(table, row);
    const isFirst = counts.size === 0;
    counts.set(table, (counts.get(table) ?? 0) + 1);
    if (isFirst !== (table === 'threads'))
      refuseBackup(
        isFirst ? 'the row of the thread is not the first one.' : 'it has not exactly one thread.',
      );
    if (isFirst) {
      const own = await restoredThreadRow(
        rt,
        to.projectId,
        { id: to.id, uid: to.threadUid },
        row,
        to.checkPolicy,
      );
      await restoreThreadRow(query, to.projectId, own);
    } else await batches.add(table, restoredRow(table, row, to.madeAt, blobs), bytes.length);
  }
  if (counts.size === 0) refuseBackup('it has no thread.');
  await batches.flush();
  await prolongOutputs(query, to);
  const { shared } = batches;
  return { messages: counts.get('messages') ?? 0, summaries: counts.get('summaries') ?? 0, shared };
}

function restoredRow(table: string, row: RowLine['row'], madeAt: Date, blobs: ArrivingBlobs): RowLine['row'] {
  if (table === 'outputs') return { ...row, ...blobs.columnsOf(String(row.id)) };
  // No worker of this server goes on with an attempt that ran when the backup was made.
  if (table === 'compaction_attempts' && row.outcome === null)
    return { ...row, outcome: 'lost', ended_at: madeAt.toISOString() };
  return row;
}

/** What Postgres says about rows that do not fit, as our errors. */
function refusal(error: unknown, id: string): unknown {
  if (error instanceof UnknownColumn) {
    const newer = `its table ${error.table} has the column ${error.column}. A newer Spillway made it.`;
    return backupRefusal(newer, error);
  }
  if (error instanceof OutputTaken) return outputsTaken(error);
  if (isUniqueViolation(error)) {
    const { table } = error as { table?: string };
    if (table === 'threads') return taken(id);
    if (table === 'outputs') return outputsTaken(error);
  }
  const { code = '' } = error as { code?: string };
  return /^2[23]...$/.test(code) ? backupRefusal('a row of it does not fit its table.', error) : error;
}

const outputsTaken = (cause: unknown): SpillwayError =>
  new SpillwayError(
    'thread_exists',
    'The project has outputs of this backup already: the thread is there under another id.',
    undefined,
    { cause },
  );
