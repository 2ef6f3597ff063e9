import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BeyondBlob, BlobCorrupt, BlobMissing, readVerified, type IndexedBlob } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import { findOutput, isSharedBy, markCorrupt, threadIdOf, type OutputRow } from '@spillway/store';
import { beyondRequest } from '../access/beyond-request.js';
import type { Runtime } from '../runtime.js';
import { asUnreadable } from './storage-unavailable.js';

export interface OutputWithThread {
  output: OutputRow;
  threadId: string;
}

/** Metadata of an output, also after it was removed. Throws `output_not_found`. */
export async function getOutput(rt: Runtime, projectId: string, id: string): Promise<OutputWithThread> {
  const output = await findOutput(rt.store, projectId, id);
  const threadId = output?.threadUid ? await threadIdOf(rt.store, projectId, output.threadUid) : undefined;
  if (!output || threadId === undefined) throw new SpillwayError('output_not_found', 'No such output.');
  return { output, threadId };
}

/** An output that can be read. Throws `output_gone` when it expired, was erased or is damaged. */
export const openOutput = async (rt: Runtime, projectId: string, id: string): Promise<OutputRow> =>
  (await openOutputOfThread(rt, projectId, id)).output;

/** The same, with the thread it belongs to. */
export async function openOutputOfThread(
  rt: Runtime,
  projectId: string,
  id: string,
): Promise<OutputWithThread> {
  const found = await getOutput(rt, projectId, id);
  if (found.output.state !== 'ready') throw goneError(found.output);
  return found;
}

/** Whether a thread may read an output: it is its own, or as a fork it shares it. */
export async function isOutputOf(
  rt: Runtime,
  threadId: string,
  { output, threadId: owner }: OutputWithThread,
): Promise<boolean> {
  if (owner === threadId) return true;
  return isSharedBy(rt.store.query, { projectId: output.projectId, threadId, outputId: output.id });
}

const goneError = (output: OutputRow): SpillwayError => new SpillwayError('output_gone', whyGone(output));

function whyGone({ state, sha256, lines }: OutputRow): string {
  if (state === 'corrupt') return 'The stored bytes are damaged and are not served.';
  // An erasure removes the hash too: it would prove what the content was.
  if (sha256 === '') return 'This output was erased.';
  return `This output expired. It had ${lines} lines and SHA-256 ${sha256}.`;
}

type BlobColumns = Pick<OutputRow, 'blobKey' | 'bytes' | 'lineIndex' | 'linesPerMark' | 'chunkHashes'>;

export const blobOf = (output: BlobColumns): IndexedBlob => ({
  key: output.blobKey,
  bytes: Number(output.bytes),
  marks: output.lineIndex.map(Number),
  linesPerMark: output.linesPerMark,
  chunkHashes: output.chunkHashes && Buffer.from(output.chunkHashes),
});

/**
 * Bytes start..end, end excluded, as a stream that emits only bytes whose hash was verified. Throws `output_gone`
 * before the first byte; damage further on ends the stream with an error.
 */
export async function readBytes(
  rt: Runtime,
  output: OutputRow,
  range: { start: number; end: number },
): Promise<Readable> {
  const bytes = guarded(rt, output, readVerified(rt.blobs, blobOf(output), range));
  const first = await bytes.next();
  if (first.done) return Readable.from([]);
  const stream = Readable.from(startingWith(first.value, bytes), { objectMode: false });
  // Destroyed before it was read from, as by a client that hung up, a stream ends a generator that has not begun: nothing
  // would close what that reads from.
  stream.once('close', () => {
    bytes.return(undefined).catch((error: unknown) => rt.log.warn({ err: error }, 'a read did not close'));
  });
  return stream;
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** A read from storage, with its failures as our errors. */
export async function* guarded<T>(rt: Runtime, output: OutputRow, from: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* from;
  } catch (error) {
    await asGone(rt, output, error);
  }
}

/** The whole text, with its hash verified: never wrong bytes. Throws `output_gone`. */
export async function readWholeOutput(rt: Runtime, output: OutputRow): Promise<string> {
  if (output.bytes === 0n) return '';
  const stream = await readBytes(rt, output, { start: 0, end: Number(output.bytes) });
  const bytes = await buffer(stream);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== output.sha256) return asGone(rt, output, new BlobCorrupt(output.blobKey));
  return bytes.toString('utf8');
}

/** The content as posted, where the text alone cannot restore it. Throws `output_gone`. */
export async function readOriginal(rt: Runtime, output: OutputRow): Promise<unknown> {
  const key = output.originalKey!;
  try {
    const bytes = await buffer(await rt.blobs.read(key, { start: 0, end: Number(output.originalBytes) }));
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (hash !== output.originalSha256) throw new BlobCorrupt(key);
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    return asGone(rt, output, error instanceof BeyondBlob ? new BlobCorrupt(key) : error);
  }
}

/** Maps storage errors about damaged bytes to our errors, and records the damage. */
export async function asGone(rt: Runtime, output: OutputRow, error: unknown): Promise<never> {
  if (error instanceof BlobCorrupt) {
    await rememberDamage(rt, output);
    rt.log.error({ output: output.id }, 'stored bytes do not match their hash');
    throw goneError({ ...output, state: 'corrupt' });
  }
  if (!(error instanceof BlobMissing)) throw asUnreadable(error);
  rt.log.error({ output: output.id }, 'the bytes of an output are missing');
  throw new SpillwayError('output_gone', 'The stored bytes are missing.', undefined, { cause: error });
}

/** A stream finds damage after its request ended. */
const rememberDamage = (rt: Runtime, { projectId, id }: OutputRow): Promise<void> =>
  beyondRequest(projectId, () => markCorrupt(rt.store, projectId, id));
