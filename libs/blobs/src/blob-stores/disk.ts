import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { randomUUID } from 'node:crypto';
import { BlobMissing, type BlobStore } from '../blob-store.js';

/** Blobs as files below a folder. A blob appears whole or not at all: temporary file, fsync, rename, fsync. */
export function diskBlobStore(folder: string): BlobStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => {
    const path = resolve(root, key);
    if (!path.startsWith(root + sep)) throw new Error(`Blob key ${key} leaves the store.`);
    return path;
  };

  return {
    async write(key, bytes) {
      const path = pathOf(key);
      const temporary = join(root, '.tmp', randomUUID());
      await mkdir(dirname(temporary), { recursive: true });
      await mkdir(dirname(path), { recursive: true });
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        await file.close();
        await rm(temporary, { force: true });
        throw error;
      }
      await file.close();
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },

    async read(key, { start, end }) {
      try {
        const file = await open(pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW);
        return file.createReadStream({ start, end: end - 1 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissing(key);
        throw error;
      }
    },

    async exists(key) {
      return access(pathOf(key)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      );
    },

    async remove(key) {
      await unlink(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}

/** A rename is durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
