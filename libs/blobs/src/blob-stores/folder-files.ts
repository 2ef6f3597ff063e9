import type { Dirent, Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderHangs, type FolderCalls } from './folder-calls.js';

/** Makes one call to an open file. */
type CallOfFile = <T>(call: (file: FileHandle) => Promise<T>) => Promise<T>;

/** Files of a folder, by calls that are given up when its file system hangs. */
export class FolderFiles {
  constructor(private readonly calls: FolderCalls) {}

  call<T>(call: () => Promise<T>): Promise<T> {
    return this.calls.run(call);
  }

  open(path: string, flags: string | number): Promise<FileHandle> {
    // A file that is opened too late has nobody who closes it.
    return this.calls.run(() => open(path, flags, 0o600), { late: (file) => void this.abandon(file, null) });
  }

  close(file: FileHandle): Promise<void> {
    return this.calls.run(() => file.close(), { isCertain: true });
  }

  /**
   * Closes a file after an error that its caller reports, so an error of closing is none of its own. A call that hangs
   * keeps its file: Node closes it when the call returns, and nobody waits for that.
   */
  async abandon(file: FileHandle, error: unknown): Promise<void> {
    const closed = (error instanceof FolderHangs ? file.close() : this.close(file)).catch(() => undefined);
    if (!(error instanceof FolderHangs)) await closed;
  }

  /** Opens a file for some calls, and closes it. */
  async use(path: string, flags: string, work: (call: CallOfFile) => Promise<void>): Promise<void> {
    const file = await this.open(path, flags);
    try {
      await work((call) => this.calls.run(() => call(file)));
    } catch (error) {
      await this.abandon(file, error);
      throw error;
    }
    await this.close(file);
  }

  /** Returns the topmost folder that it made, if any. */
  makeFolder(path: string): Promise<string | undefined> {
    return this.calls.run(() => mkdir(path, { recursive: true }));
  }

  move(from: string, to: string): Promise<void> {
    return this.calls.run(() => rename(from, to));
  }

  /** Undefined when it does not exist. */
  stat(path: string): Promise<Stats | undefined> {
    return this.calls.run(() => stat(path)).catch(unlessGone);
  }

  /** Of a folder that does not exist none. */
  async entries(path: string): Promise<Dirent[]> {
    return (await this.calls.run(() => readdir(path, { withFileTypes: true })).catch(unlessGone)) ?? [];
  }

  /** A file that does not exist is removed already. */
  async remove(path: string): Promise<void> {
    await this.calls.run(() => unlink(path)).catch(unlessGone);
  }

  /** With all that is in it. */
  async removeFolder(path: string): Promise<void> {
    for (const entry of await this.entries(path)) {
      const at = join(path, entry.name);
      await (entry.isDirectory() ? this.removeFolder(at) : this.remove(at));
    }
    await this.calls.run(() => rmdir(path)).catch(unlessGone);
  }
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
