import { constants } from 'node:fs';
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
import { FileReader } from './file-reader.js';
import { FolderCalls } from './folder-calls.js';
import { FolderFiles } from './folder-files.js';

/** Where blobs are written before they appear under their key. */
const temporaryFolder = '.tmp';

/** Called with each completed step of a write. */
type Reached = (step: 'temporary' | 'synced' | 'renamed') => void;

interface DiskOptions {
  reached?: Reached;
  /** Milliseconds that one call to the file system may take; S3 has the same limit for a request. */
  maxCallMs?: number;
}

/**
 * Blobs as files below a folder. A blob appears whole or not at all: temporary file, fsync, rename, fsync. Each method
 * throws `FolderHangs` when the file system does not answer; what it does later is left to `removeUnfinished` and sweeps.
 */
export function diskBlobStore(
  folder: string,
  { reached = () => undefined, maxCallMs = 30_000 }: DiskOptions = {},
): BlobStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => join(root, ...checkKey(key).split('/'));
  const calls = new FolderCalls(maxCallMs);
  const files = new FolderFiles(calls);

  async function newTemporary(): Promise<string> {
    const folder = join(root, temporaryFolder);
    await files.makeFolder(folder);
    return join(folder, randomUUID());
  }

  /** Moves a file with durable content to its key and makes the name durable. */
  async function publish(temporary: string, path: string): Promise<void> {
    const made = await files.makeFolder(dirname(path));
    await files.move(temporary, path);
    reached('renamed');
    await syncFolders(dirname(path), made === undefined ? dirname(path) : dirname(made));
  }

  /** A name is durable once its folder is: the blob's own folder and each new one above it, up to `top`. */
  async function syncFolders(path: string, top: string): Promise<void> {
    await files.use(path, 'r', (call) => call((folder) => folder.sync()));
    if (path !== top && path !== dirname(path)) await syncFolders(dirname(path), top);
  }

  function writeDurably(
    path: string,
    bytes: readonly Buffer[] | AsyncIterable<Buffer>,
    done: Reached = reached,
  ): Promise<void> {
    return files.use(path, 'wx', async (call) => {
      for await (const piece of bytes) await call((file) => file.writeFile(piece));
      done('temporary');
      await call((file) => file.sync());
    });
  }

  /** After a failure of the write, which the caller reports: a file that stays is removed by `removeUnfinished`. */
  const discardFailed = (temporary: string) => files.remove(temporary).catch(() => undefined);

  return {
    async write(key, bytes) {
      const path = pathOf(key);
      const temporary = await newTemporary();
      try {
        await writeDurably(temporary, [bytes]);
        reached('synced');
        await publish(temporary, path);
      } catch (error) {
        await discardFailed(temporary);
        throw error;
      }
    },

    async writeStream(key, bytes) {
      const path = pathOf(key);
      const temporary = await newTemporary();
      try {
        await writeDurably(temporary, bytes);
      } catch (error) {
        await discardFailed(temporary);
        throw error;
      }
      reached('synced');
      return { publish: () => publish(temporary, path), discard: () => files.remove(temporary) };
    },

    async tryWrite() {
      const temporary = await newTemporary();
      try {
        await writeDurably(temporary, [Buffer.from('.')], () => undefined);
      } catch (error) {
        await discardFailed(temporary);
        throw error;
      }
      await files.remove(temporary);
    },

    async removeUnfinished(olderThan) {
      const folder = join(root, temporaryFolder);
      for (const { name } of await files.entries(folder)) {
        const found = await files.stat(join(folder, name));
        if (found && found.mtime < olderThan) await files.remove(join(folder, name));
      }
    },

    async read(key, { start, end }) {
      const file = await files
        .open(pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW)
        .catch(missing(key));
      try {
        const found = await files.call(() => file.stat());
        if (!found.isFile()) throw new BlobCorrupt(key);
        if (start >= found.size) throw new BeyondBlob(key);
      } catch (error) {
        await files.abandon(file, error);
        throw error;
      }
      return new FileReader(files, file, { start, end });
    },

    exists: async (key) => (await files.stat(pathOf(key))) !== undefined,

    remove: (key) => files.remove(pathOf(key)),

    list: (prefix) => filesBelow(files, root, pathOf(prefix)),

    removeAll: (prefix) => files.removeFolder(pathOf(prefix)),

    openCalls: () => calls.open(),
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
async function* filesBelow(files: FolderFiles, root: string, folder: string): AsyncGenerator<BlobEntry> {
  for (const entry of await files.entries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(files, root, path);
    if (!entry.isFile()) continue;
    const found = await files.stat(path);
    if (!found) continue;
    const key = relative(root, path).split(sep).join('/');
    yield { key, bytes: found.size, modifiedAt: found.mtime };
  }
}
