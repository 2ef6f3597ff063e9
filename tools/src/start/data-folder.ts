import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { claim, errorCode, makeFolder, StartError } from '@spillway/embedded';

export interface DataFolder {
  path: string;
  logs: string;
  outputs: string;
  release(): Promise<void>;
}

/**
 * Opens and claims the folder with all permanent data. Other users can pass through it (Postgres' own account has its
 * files below it) but cannot list it; its content is private.
 */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const path = resolve(dataDir);
  const [logs, outputs] = [join(path, 'logs'), join(path, 'outputs')];
  try {
    const isNew = !(await stat(path).catch(() => null));
    await makeFolder(path);
    if (isNew) await chmod(path, 0o711);
    for (const folder of [logs, outputs]) await makeFolder(folder, 0o700);
    await writeAndRemove(join(path, '.writable'));
  } catch (error) {
    throw new StartError(
      `Cannot use the data folder ${path} (${errorCode(error) ?? String(error)}): make it writable for this user, or set SPILLWAY_DATA_DIR.`,
    );
  }
  const release = await claim(
    join(path, 'running'),
    (pid) =>
      `Spillway already runs on ${path} (process ${pid}): stop it, or set SPILLWAY_DATA_DIR to another folder.`,
  );
  return { path, logs, outputs, release };
}

/** A secret that is created once and kept over restarts. Only this user can read it. */
export async function keptSecret(file: string, prefix: string, bytes: number): Promise<string> {
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    if (kept.length >= 16) return kept;
    throw new StartError(`${file} is empty or cut short: restore it, or delete it and a new one is made.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (errorCode(error) !== 'ENOENT')
      throw new StartError(`Cannot read ${file} (${errorCode(error)}): make it readable for this user.`);
  }
  const secret = prefix + randomBytes(bytes).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
}

async function writeAndRemove(file: string): Promise<void> {
  await writeFile(file, '');
  await rm(file);
}
