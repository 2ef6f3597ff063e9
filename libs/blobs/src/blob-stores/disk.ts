import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { randomUUID } from 'node:crypto';
import { BlobMissing, checkKey, type BlobEntry, type BlobStore } from '../blob-store.js';

/** Where blobs are written before they appear under their key. */
const temporaryFolder = '.tmp';

/** Blobs as files below a folder. A blob appears whole or not at all: temporary file, fsync, rename, fsync. */
export function diskBlobStore(
  folder: string,
  reached: (step: 'temporary' | 'synced' | 'renamed') => void = () => undefined,
): BlobStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => join(root, ...checkKey(key).split('/'));

  return {
    async write(key, bytes) {
      const path = pathOf(key);
      const temporary = join(root, temporaryFolder, randomUUID());
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
      const file = await open(pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW).catch(missing(key));
      return file.createReadStream({ start, end: end - 1 });
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

    list: (prefix) => filesBelow(root, pathOf(prefix)),

    async removeAll(prefix) {
      await rm(pathOf(prefix), { recursive: true, force: true });
    },
  };
}

const missing =
  (key: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? new BlobMissing(key) : error;
  };

async function* filesBelow(root: string, folder: string): AsyncGenerator<BlobEntry> {
  const entries = await opendir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for await (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtime } = await stat(path);
    yield { key: relative(root, path).split(sep).join('/'), bytes: size, modifiedAt: mtime };
  }
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
