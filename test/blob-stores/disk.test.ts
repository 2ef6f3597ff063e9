import { rm, writeFile } from 'node:fs/promises';
import { diskBlobStore } from '@spillway/blobs';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { afterAll, beforeAll, describe } from 'vitest';
import { conformance } from './conformance.js';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

describe('blobs on disk', () => {
  conformance(
    () => diskBlobStore(`${folder.path}/outputs`),
    async () => {
      // A file where the folder was: root may write into any folder, but not into a file.
      await rm(`${folder.path}/outputs`, { recursive: true });
      await writeFile(`${folder.path}/outputs`, '');
    },
  );
});
