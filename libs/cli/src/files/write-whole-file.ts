import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { access, rename, unlink } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { endingSignals } from '../program/interruption.js';
import { isFailedWrite, refuseFile } from './refuse-file.js';

/** Refuses to replace a file. */
export async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw Object.assign(new Error('exists'), { code: 'EEXIST', path: file });
}

/**
 * Writes beside the file first, so that a file that broke off does not look like a whole one, and what is replaced stays
 * until then. Each call has a file of its own: two that overlap do not write into each other's. A signal removes it
 * before it ends the program. `write` ends when the stream has taken everything.
 */
export async function writeWholeFile(file: string, write: (to: Writable) => Promise<void>): Promise<void> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.unfinished`;
  const end = (signal: NodeJS.Signals) => {
    rmSync(unfinished, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of endingSignals) process.once(signal, end);
  try {
    await write(createWriteStream(unfinished, { flags: 'wx', flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    // The caller knows the file by its own name.
    if ((error as NodeJS.ErrnoException).path === unfinished || isFailedWrite(error)) refuseFile(error, file);
    throw error;
  } finally {
    for (const signal of endingSignals) process.off(signal, end);
  }
}
