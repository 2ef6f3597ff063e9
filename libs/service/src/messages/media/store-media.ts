import { setTimeout as sleep } from 'node:timers/promises';
import { mediaKey } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import { touchMedia, type MediaRow } from '@spillway/store';
import { asStorageUnavailable } from '../../outputs/storage-unavailable.js';
import type { Runtime } from '../../runtime.js';
import type { TakenMedia } from './take-media.js';

/**
 * Stores the media of a message before it is recorded: row first, then the bytes, each once per project. Media that no
 * message uses are swept an hour later.
 */
export async function storeMedia(
  rt: Runtime,
  projectId: string,
  { references, blobs }: TakenMedia,
): Promise<void> {
  const extensions = new Map(references.map((reference) => [reference.sha256, reference.extension]));
  for (const [sha256, bytes] of blobs) {
    const extension = extensions.get(sha256)!;
    const known = await declare(rt, { projectId, sha256, extension, bytes: bytes.length });
    const key = mediaKey(projectId, sha256, known.extension);
    if (!known.isNew && (await rt.blobs.exists(key))) continue;
    await rt.blobs.write(key, bytes).catch(asStorageUnavailable(rt, projectId, 'media could not be stored'));
  }
}

/** A sweep that removes the same bytes finishes within milliseconds. */
async function declare(rt: Runtime, media: MediaRow): ReturnType<typeof touchMedia> {
  for (let attempt = 1; ; attempt++) {
    const known = await touchMedia(rt.store.query, media);
    if (!known.deleting) return known;
    if (attempt === 40)
      throw new SpillwayError('storage_unavailable', 'These media are being removed. Retry.');
    await sleep(50);
  }
}
