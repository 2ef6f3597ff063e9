import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobMissing, linesFrom, type IndexedBlob } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import { findOutput, markCorrupt, threadIdOf, type OutputRow } from '@spillway/store';
import type { Runtime } from './runtime.js';

export interface OutputWithThread {
  output: OutputRow;
  threadId: string;
}

/** Metadata of an output, also of one that is gone. Throws `output_not_found`. */
export async function getOutput(rt: Runtime, projectId: string, id: string): Promise<OutputWithThread> {
  const output = await findOutput(rt.store, projectId, id);
  const threadId = output?.threadUid ? await threadIdOf(rt.store, projectId, output.threadUid) : undefined;
  if (!output || threadId === undefined) throw new SpillwayError('output_not_found', 'No such output.');
  return { output, threadId };
}

/** An output that can be read. Throws `output_gone` when it expired, was erased or is damaged. */
export async function openOutput(rt: Runtime, projectId: string, id: string): Promise<OutputRow> {
  const { output } = await getOutput(rt, projectId, id);
  if (output.state !== 'ready') throw gone(output);
  return output;
}

const gone = (output: OutputRow): SpillwayError =>
  new SpillwayError(
    'output_gone',
    output.state === 'corrupt'
      ? 'The stored bytes are not the ones that were written; they are not served.'
      : `This output expired. It had ${output.lines} lines and SHA-256 ${output.sha256}.`,
  );

export const blobOf = (output: OutputRow): IndexedBlob => ({
  key: output.blobKey,
  bytes: Number(output.bytes),
  marks: output.lineIndex.map(Number),
});

/** Bytes start..end, end excluded, as a stream. */
export async function readBytes(
  rt: Runtime,
  output: OutputRow,
  range: { start: number; end: number },
): Promise<Readable> {
  return rt.blobs.read(output.blobKey, range).catch((error: unknown) => missing(rt, output, error));
}

/** Lines first..last, both included; fewer when the output ends before. Bounded by `mostBytes`. */
export async function readLines(
  rt: Runtime,
  output: OutputRow,
  { first, last }: { first: number; last: number },
): Promise<{ text: string; shown: number }> {
  const lines: string[] = [];
  let bytes = 0;
  try {
    for await (const line of linesFrom(rt.blobs, blobOf(output), first)) {
      bytes += line.text.length;
      if (line.number > last || bytes > mostBytes) break;
      lines.push(line.text);
    }
  } catch (error) {
    return missing(rt, output, error);
  }
  return { text: lines.length > 0 ? `${lines.join('\n')}\n` : '', shown: lines.length };
}

/** One answer by lines holds at most this many characters; the next lines are one call away. */
const mostBytes = 1_048_576;

/** The whole text, with its hash verified: never wrong bytes. Throws `output_gone`. */
export async function readWholeOutput(rt: Runtime, output: OutputRow): Promise<string> {
  if (output.bytes === 0n) return '';
  const stream = await readBytes(rt, output, { start: 0, end: Number(output.bytes) });
  const bytes = await buffer(stream);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== output.sha256) {
    await markCorrupt(rt.store, output.projectId, output.id);
    rt.log.error({ output: output.id }, 'stored bytes do not match their hash');
    throw gone({ ...output, state: 'corrupt' });
  }
  return bytes.toString('utf8');
}

function missing(rt: Runtime, output: OutputRow, error: unknown): never {
  if (!(error instanceof BlobMissing)) throw error;
  rt.log.error({ output: output.id }, 'the bytes of an output are missing');
  throw new SpillwayError('output_gone', 'The stored bytes are missing.', undefined, { cause: error });
}
