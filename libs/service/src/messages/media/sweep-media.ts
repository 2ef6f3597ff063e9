import { mediaKey } from '@spillway/blobs';
import { buryMedia, lockUnsettledMedia, postponeMedia, settleMedia, type MediaRow } from '@spillway/store';
import type { Removals } from '../../sweep/removals.js';
import type { Runtime } from '../../runtime.js';

const batch = 200;

/** Removes media that no message of the project uses: first the bytes, then the row. */
export async function sweepMedia(
  rt: Runtime,
  projectId: string,
  removals: Removals,
): Promise<{ deleted: number; bytesFreed: bigint }> {
  let deleted = 0;
  let bytesFreed = 0n;
  for (;;) {
    const { looked, unused } = await lookAtMedia(rt, projectId);
    if (looked === 0) return { deleted, bytesFreed };
    const { removed, failed } = await removals.each(unused, (row) =>
      rt.blobs.remove(mediaKey(projectId, row.sha256, row.extension)),
    );
    await buryMedia(rt.store.query, projectId, removed.map(hashOf));
    await postponeMedia(rt.store.query, projectId, failed.map(hashOf));
    deleted += removed.length;
    for (const row of removed) bytesFreed += BigInt(row.bytes);
  }
}

/** Looks at a batch of media, and returns those to remove. Looking settles each: it is in use or to be removed. */
const lookAtMedia = (rt: Runtime, projectId: string): Promise<{ looked: number; unused: MediaRow[] }> =>
  rt.store.transaction(async (query) => {
    const hashes = await lockUnsettledMedia(query, projectId, batch);
    const unused = hashes.length === 0 ? [] : await settleMedia(query, projectId, hashes);
    return { looked: hashes.length, unused };
  });

const hashOf = ({ sha256 }: { sha256: string }): string => sha256;
