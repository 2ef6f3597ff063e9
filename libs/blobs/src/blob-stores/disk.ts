import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { randomUUID } from 'node:crypto';
import {
  BeyondBlob,
  BlobCorrupt,
  BlobMissing,
  checkKey,
  type BlobEntry,
  type BlobStore,
} from '../blob-store.js';

/** Where blobs are written before they appear under their key. */
const temporaryFolder = '.tmp';

/** Called with each completed step of a write. */
type Reached = (step: 'temporary' | 'synced' | 'renamed') => void;

/** Blobs as files below a folder. A blob appears whole or not at all: temporary file, fsync, rename, fsync. */
export function diskBlobStore(folder: string, reached: Reached = () => undefined): BlobStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => join(root, ...checkKey(key).split('/'));

  async function newTemporary(): Promise<string> {
    const folder = join(root, temporaryFolder);
    await mkdir(folder, { recursive: true });
    return join(folder, randomUUID());
  }

  /** Moves a file with durable content to its key and makes the name durable. */
  async function publish(temporary: string, path: string): Promise<void> {
    const made = await mkdir(dirname(path), { recursive: true });
    await rename(temporary, path);
    reached('renamed');
    await syncFolders(dirname(path), made === undefined ? dirname(path) : dirname(made));
  }

  return {
    async write(key, bytes) {
      const path = pathOf(key);
      const temporary = await newTemporary();
      try {
        await writeDurably(temporary, bytes, reached);
        reached('synced');
        await publish(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async writeStream(key, bytes) {
      const path = pathOf(key);
      const temporary = await newTemporary();
      const discard = () => rm(temporary, { force: true });
      try {
        await writeDurably(temporary, bytes, reached);
      } catch (error) {
        await discard();
        throw error;
      }
      reached('synced');
      return { publish: () => publish(temporary, path), discard };
    },

    async tryWrite() {
      const temporary = await newTemporary();
      try {
        await writeDurably(temporary, Buffer.from('.'), () => undefined);
      } finally {
        await rm(temporary, { force: true });
      }
    },

    async removeUnfinished(olderThan) {
      const folder = join(root, temporaryFolder);
      for (const name of (await readdir(folder).catch(unlessGone)) ?? []) {
        const found = await stat(join(folder, name)).catch(unlessGone);
        if (found && found.mtime < olderThan) await rm(join(folder, name), { force: true });
      }
    },

    async read(key, { start, end }) {
      const file = await open(pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW).catch(missing(key));
      const found = await file.stat();
      if (!found.isFile() || start >= found.size) {
        await file.close();
        throw found.isFile() ? new BeyondBlob(key) : new BlobCorrupt(key);
      }
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
    // The store writes no links.
    if (error.code === 'ELOOP') throw new BlobCorrupt(key);
    throw error.code === 'ENOENT' ? new BlobMissing(key) : error;
  };

/** Files and folders that a sweep removes meanwhile are treated as absent. */
async function* filesBelow(root: string, folder: string): AsyncGenerator<BlobEntry> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(root, path);
    if (!entry.isFile()) continue;
    const found = await stat(path).catch(unlessGone);
    if (!found) continue;
    const key = relative(root, path).split(sep).join('/');
    yield { key, bytes: found.size, modifiedAt: found.mtime };
  }
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function writeDurably(
  path: string,
  bytes: Buffer | AsyncIterable<Buffer>,
  reached: Reached,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    reached('temporary');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name is durable once its folder is: the blob's own folder and each new one above it, up to `top`. */
async function syncFolders(path: string, top: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  if (path !== top && path !== dirname(path)) await syncFolders(dirname(path), top);
}
