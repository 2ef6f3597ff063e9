import { createHash } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Account, canReach } from '../folders/account.js';
import { makeFolder } from '../folders/make-folder.js';
import { errorCode, StartError } from '../processes/start-error.js';

export interface PostgresFolder {
  path: string;
  /** Where it is instead, when the requested folder was not possible. */
  notice: string | null;
}

/**
 * The folder of a permanent Postgres: `postgres` in the data folder. When Postgres' account cannot reach it (a checkout
 * under /root), a folder whose name depends only on the data folder's path, so that the next start finds it.
 */
export async function postgresFolder(dataDir: string, account: Account | null): Promise<PostgresFolder> {
  const { wanted, elsewhere } = foldersOf(dataDir);
  if (await canReach(account, wanted)) return { path: await made(wanted), notice: null };
  const notice = `Postgres keeps its data in ${elsewhere}: its user (${account?.name}) cannot enter ${resolve(dataDir)}.`;
  return { path: await made(elsewhere), notice };
}

/** The database files of earlier starts for this data folder, or null. */
export async function existingData(dataDir: string): Promise<string | null> {
  const { wanted, elsewhere } = foldersOf(dataDir);
  for (const folder of [wanted, elsewhere]) {
    const data = join(folder, 'data');
    if (await stat(data).catch(() => null)) return data;
  }
  return null;
}

function foldersOf(dataDir: string): { wanted: string; elsewhere: string } {
  const hash = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  return { wanted: join(resolve(dataDir), 'postgres'), elsewhere: `/var/lib/spillway-${hash}` };
}

async function made(path: string): Promise<string> {
  try {
    await makeFolder(path);
    // Postgres' account passes through to its folder in the data folder, and lists nothing else.
    await chmod(path, 0o711);
    return path;
  } catch (error) {
    throw new StartError(
      `Cannot use the folder ${path} (${errorCode(error)}): give this user write access to it, or set SPILLWAY_DATA_DIR.`,
    );
  }
}
