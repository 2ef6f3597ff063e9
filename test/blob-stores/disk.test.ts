import { readdir, rm, writeFile } from 'node:fs/promises';
import { diskBlobStore } from '@spillway/blobs';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conformance } from './conformance.js';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

describe('blobs on disk', () => {
  test('a stream that fails or is discarded leaves no temporary file', async () => {
    const store = diskBlobStore(`${folder.path}/streams`);
    const failing = (async function* () {
      await Promise.resolve();
      yield Buffer.from('some');
      throw new Error('gone');
    })();
    await expect(store.writeStream('p/failed', failing)).rejects.toThrow('gone');
    const some = (async function* () {
      await Promise.resolve();
      yield Buffer.from('some');
    })();
    await (await store.writeStream('p/discarded', some)).discard();
    expect(await readdir(`${folder.path}/streams/.tmp`)).toEqual([]);
  });

  conformance(
    () => diskBlobStore(`${folder.path}/outputs`),
    async () => {
      // A file where the folder was: root may write into any folder, but not into a file.
      await rm(`${folder.path}/outputs`, { recursive: true });
      await writeFile(`${folder.path}/outputs`, '');
    },
  );
});
