import { readFile, writeFile } from 'node:fs/promises';
import { BlobCorrupt, chunkBytes, diskBlobStore, hashChunks, readVerified } from '@spillway/blobs';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

test('a byte that changed is not served by any range that touches its chunk, and others are', async () => {
  const bytes = Buffer.alloc(3 * chunkBytes, 'line\n');
  const store = diskBlobStore(folder.path);
  await store.write('blob', bytes);
  const blob = { key: 'blob', bytes: bytes.length, chunkHashes: hashChunks(bytes) };
  const range = async (start: number, end: number): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of readVerified(store, blob, { start, end })) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  expect(await range(0, bytes.length)).toEqual(bytes);

  const path = `${folder.path}/blob`;
  const damaged = await readFile(path);
  damaged[chunkBytes + 7]! ^= 1;
  await writeFile(path, damaged);
  expect(await range(5, 900)).toEqual(bytes.subarray(5, 900));
  await expect(range(chunkBytes + 100, chunkBytes + 200)).rejects.toBeInstanceOf(BlobCorrupt);
  await expect(range(0, bytes.length)).rejects.toBeInstanceOf(BlobCorrupt);
});
