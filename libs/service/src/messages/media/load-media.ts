import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { BlobMissing, mediaKey } from '@spillway/blobs';
import { mediaMarkIn, mediaOf, readMessage, type Stored } from '@spillway/engine';
import { findMedia, type BodyRow, type MediaRow } from '@spillway/store';
import { storedOf } from '../entries.js';
import { asUnreadable } from '../../outputs/storage-unavailable.js';
import type { Runtime } from '../../runtime.js';
import { takeMediaRoom } from './media-room.js';
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

interface LoadMediaOptions {
  /** How many of a message's images are not shown; when nothing else of it is stored, none is read. */
  hidden?: (seq: number) => number;
  /** Maximum of bytes restored, for which there has to be room: see `takeMediaRoom`. */
  maxBytes?: number;
}

export interface LoadedMedia {
  bodies: Map<number, Stored>;
  /** Messages whose media are gone from the store or damaged: wrong bytes are never served. */
  lost: number[];
  /** Messages whose media were not read, because those of newer ones take all of `maxBytes`. */
  tooLarge: number[];
}

/** Messages with their media restored. The same media in two messages are restored, and counted, twice. */
export async function loadMedia(
  rt: Runtime,
  projectId: string,
  messages: readonly WithReferences[],
  { hidden = () => 0, maxBytes = Infinity }: LoadMediaOptions = {},
): Promise<LoadedMedia> {
  const bodies = new Map(messages.map(({ seq, stored }) => [seq, stored]));
  const references = new Map<number, MediaReference[]>();
  for (const { seq, stored, media } of messages) {
    const of = media === null ? [] : (JSON.parse(media) as MediaReference[]);
    if (of.length > storedAmongFirst(hidden(seq), stored)) references.set(seq, of);
  }
  if (references.size === 0) return { bodies, lost: [], tooLarge: [] };
  const rows = await findMedia(rt.store, projectId, [
    ...new Set([...references.values()].flat().map((reference) => reference.sha256)),
  ]);
  const sizeOf = sizeIn(rows);
  const tooLarge = beyond(maxBytes, references, sizeOf);
  for (const seq of tooLarge) references.delete(seq);
  const shown = new Set([...references.values()].flat().map(({ sha256 }) => sha256));
  if (maxBytes !== Infinity) await takeMediaRoom(projectId, sizeOf([...references.values()].flat()));
  const blobs = await readBlobs(
    rt,
    projectId,
    rows.filter(({ sha256 }) => shown.has(sha256)),
  );
  const lost: number[] = [];
  for (const [seq, of] of references) {
    const { format, body } = bodies.get(seq)!;
    if (of.every((reference) => blobs.has(reference.sha256)))
      bodies.set(seq, { format, body: putMedia(body, of, blobs) });
    else lost.push(seq);
  }
  return { bodies, lost, tooLarge };
}

/** The messages, from the newest on, from which on the media take more bytes than that. */
function beyond(
  maxBytes: number,
  references: ReadonlyMap<number, readonly MediaReference[]>,
  sizeOf: (of: readonly MediaReference[]) => number,
): number[] {
  const newestFirst = [...references].sort(([one], [other]) => other - one);
  let left = maxBytes;
  const first = newestFirst.findIndex(([, of]) => {
    left -= sizeOf(of);
    return left < 0;
  });
  return first < 0 ? [] : newestFirst.slice(first).map(([seq]) => seq);
}

/** Bytes of media, of one in several places as often. */
function sizeIn(rows: readonly MediaRow[]): (of: readonly MediaReference[]) => number {
  const bytesOf = new Map(rows.map(({ sha256, bytes }) => [sha256, bytes]));
  return (of) => of.reduce((sum, { sha256 }) => sum + (bytesOf.get(sha256) ?? 0), 0);
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
  rows: readonly MediaRow[],
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
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
    throw asUnreadable(error);
  }
}
