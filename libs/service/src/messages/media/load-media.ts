import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { BlobMissing, mediaKey } from '@spillway/blobs';
import { mediaMarkIn, mediaOf, readMessage, type Stored } from '@spillway/engine';
import { findMedia, type BodyRow } from '@spillway/store';
import { storedOf } from '../entries.js';
import type { Runtime } from '../../runtime.js';
import { putMedia, type MediaReference } from './take-media.js';

/** A message with references to its media, as JSON; null without any. */
export interface WithReferences {
  seq: number;
  stored: Stored;
  media: string | null;
}

export const withReferences = (row: BodyRow): WithReferences => ({
  seq: row.seq,
  stored: storedOf(row),
  media: row.media,
});

/**
 * Messages with their media restored. `lost` are those whose media are gone from the store or damaged: wrong bytes are
 * never served. `hidden` is how many of a message's images are not shown; when nothing else of it is stored, none is read.
 */
export async function loadMedia(
  rt: Runtime,
  projectId: string,
  messages: readonly WithReferences[],
  hidden: (seq: number) => number = () => 0,
): Promise<{ bodies: Map<number, Stored>; lost: number[] }> {
  const bodies = new Map(messages.map(({ seq, stored }) => [seq, stored]));
  const references = new Map<number, MediaReference[]>();
  for (const { seq, stored, media } of messages) {
    const of = media === null ? [] : (JSON.parse(media) as MediaReference[]);
    if (of.length > storedAmongFirst(hidden(seq), stored)) references.set(seq, of);
  }
  if (references.size === 0) return { bodies, lost: [] };
  const blobs = await readBlobs(rt, projectId, [...references.values()].flat());
  const lost: number[] = [];
  for (const [seq, of] of references) {
    const { format, body } = bodies.get(seq)!;
    if (of.every((reference) => blobs.has(reference.sha256)))
      bodies.set(seq, { format, body: putMedia(body, of, blobs) });
    else lost.push(seq);
  }
  return { bodies, lost };
}

/** How many of the first images of a message are stored beside it: others are addresses and ids of files. */
function storedAmongFirst(images: number, stored: Stored): number {
  if (images === 0) return 0;
  const first = mediaOf(readMessage(stored))
    .filter(({ kind }) => kind === 'image')
    .slice(0, images);
  return first.filter(({ source }) => {
    const text = 'data' in source ? source.data : 'url' in source ? source.url : '';
    return mediaMarkIn(text) !== undefined;
  }).length;
}

async function readBlobs(
  rt: Runtime,
  projectId: string,
  references: readonly MediaReference[],
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  const rows = await findMedia(rt.store, projectId, [
    ...new Set(references.map((reference) => reference.sha256)),
  ]);
  await Promise.all(
    rows.map(async ({ sha256, extension, bytes }) => {
      const read = await readBlob(rt, mediaKey(projectId, sha256, extension), bytes);
      if (read && createHash('sha256').update(read).digest('hex') === sha256) blobs.set(sha256, read);
      else rt.log.error({ projectId, sha256 }, 'stored media are missing or damaged');
    }),
  );
  return blobs;
}

async function readBlob(rt: Runtime, key: string, bytes: number): Promise<Buffer | undefined> {
  try {
    return await buffer(await rt.blobs.read(key, { start: 0, end: bytes }));
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}
