import { mediaKey } from '@spillway/blobs';
import { buryMedia, markUnusedMedia } from '@spillway/store';
import type { Runtime } from '../runtime.js';

const batch = 200;

/** Removes media that no message of the project uses any more: first the bytes, then the row. */
export async function sweepMedia(
  rt: Runtime,
  projectId: string,
): Promise<{ deleted: number; bytesFreed: bigint }> {
  let deleted = 0;
  let bytesFreed = 0n;
  for (;;) {
    const unused = await markUnusedMedia(rt.store.query, projectId, batch);
    if (unused.length === 0) return { deleted, bytesFreed };
    await Promise.all(unused.map((row) => rt.blobs.remove(mediaKey(projectId, row.sha256, row.extension))));
    const hashes = unused.map((row) => row.sha256);
    await buryMedia(rt.store.query, projectId, hashes);
    deleted += unused.length;
    for (const row of unused) bytesFreed += BigInt(row.bytes);
  }
}
