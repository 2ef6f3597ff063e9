import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { refuseFile } from '../../files/refuse-file.js';

/** Reads a file from its start, piece by piece. */
export type Chunks = () => AsyncIterable<Buffer> | Iterable<Buffer>;

const chunkBytes = 1024 * 1024;

/** A file that is read twice, once to check it and once to post it. What is no file, such as a pipe, is kept in memory. */
export async function chunksOf(file: string): Promise<Chunks> {
  const stats = await stat(file).catch((error: unknown) => refuseFile(error, file));
  if (stats.isFile())
    return () => createReadStream(file, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  const bytes = await readFile(file).catch((error: unknown) => refuseFile(error, file));
  return () => [bytes];
}

/** The whole file, for sources that are read at once. */
export async function wholeOf(chunks: Chunks): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of chunks()) parts.push(part);
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
