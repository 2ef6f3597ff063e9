import { createHash } from 'node:crypto';
import { BeyondBlob, BlobCorrupt, type BlobStore } from './blob-store.js';

/** Bytes per hash: a range read verifies only the chunks it touches. */
export const chunkBytes = 65_536;
const hashBytes = 32;

export interface HashedBlob {
  key: string;
  bytes: number;
  /** The SHA-256 of each chunk; null for blobs without them. */
  chunkHashes: Buffer | null;
}

export function hashChunks(bytes: Buffer): Buffer {
  const hasher = new ChunkHasher();
  hasher.add(bytes);
  return hasher.hashes();
}

/** Hashes the chunks of bytes that come in pieces of any size. */
export class ChunkHasher {
  private readonly done: Buffer[] = [];
  private hash = createHash('sha256');
  private size = 0;

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + chunkBytes - this.size);
      this.hash.update(piece);
      this.size += piece.length;
      at += piece.length;
      if (this.size === chunkBytes) this.end();
    }
  }

  /** The hashes of all bytes so far. Nothing may be added afterwards. */
  hashes(): Buffer {
    if (this.size > 0) this.end();
    return Buffer.concat(this.done);
  }

  private end(): void {
    this.done.push(this.hash.digest());
    this.hash = createHash('sha256');
    this.size = 0;
  }
}

const hashOf = (chunk: Buffer): Buffer => createHash('sha256').update(chunk).digest();

/**
 * Bytes start..end of a blob, end excluded; each chunk is verified before any of it is returned. Throws `BlobCorrupt`
 * at the first damaged chunk, and `BlobMissing`.
 */
export async function* readVerified(
  store: BlobStore,
  { key, bytes, chunkHashes }: HashedBlob,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  if (start >= end) return;
  const read = (range: { start: number; end: number }) =>
    store.read(key, range).catch((error: unknown): never => {
      // The row promises more bytes.
      throw error instanceof BeyondBlob ? new BlobCorrupt(key) : error;
    });
  if (chunkHashes === null) {
    yield* (await read({ start, end })) as AsyncIterable<Buffer>;
    return;
  }
  const first = Math.floor(start / chunkBytes);
  let at = first * chunkBytes;
  const stream = await read({
    start: at,
    end: Math.min(bytes, Math.ceil(end / chunkBytes) * chunkBytes),
  });
  let held: Buffer[] = [];
  let size = 0;
  const verified = (): Buffer => {
    const chunk = Buffer.concat(held);
    const n = at / chunkBytes;
    const expected = chunkHashes.subarray(n * hashBytes, (n + 1) * hashBytes);
    if (!hashOf(chunk).equals(expected)) throw new BlobCorrupt(key);
    const shown = chunk.subarray(Math.max(0, start - at), Math.min(chunk.length, end - at));
    at += chunk.length;
    held = [];
    size = 0;
    return shown;
  };
  for await (const piece of stream as AsyncIterable<Buffer>) {
    let rest = piece;
    while (size + rest.length >= chunkBytes) {
      const room = chunkBytes - size;
      held.push(rest.subarray(0, room));
      rest = rest.subarray(room);
      yield verified();
    }
    if (rest.length > 0) held.push(rest);
    size += rest.length;
  }
  if (size > 0) yield verified();
  if (at < end) throw new BlobCorrupt(key);
}
