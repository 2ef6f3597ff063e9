import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../folders/account.js';
import { lastWord } from '../processes/last-word.js';
import { leash } from '../processes/leash.js';
import { freshLog } from '../processes/log-file.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { errorCode, StartError } from '../processes/start-error.js';

export const superuser = 'spillway';

export interface Cluster {
  data: string;
  password: string;
}

/** The database files in `folder`, created if missing. The password is stored beside them, readable by us only. */
export async function cluster(
  folder: string,
  binaries: PostgresBinaries,
  account: Account | null,
  durable: boolean,
): Promise<Cluster> {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw new StartError(
      `Cannot read ${data} (${errorCode(error)}): start as the user it belongs to, or set SPILLWAY_DATA_DIR.`,
    );
  });
  if (version === null) await create(folder, binaries, account, passwordFile, durable);
  else if (version.trim() !== binaries.major) {
    throw new StartError(
      `${data} was made by Postgres ${version.trim()} and this is ${binaries.major}: set SPILLWAY_DATA_DIR to a new folder, or run Postgres ${version.trim()} and set DATABASE_URL.`,
    );
  }
  const password = await readFile(passwordFile, 'utf8').catch(() => {
    throw new StartError(
      `${passwordFile} is missing or unreadable: restore it, or set SPILLWAY_DATA_DIR to a new folder.`,
    );
  });
  return { data, password };
}

async function create(
  folder: string,
  binaries: PostgresBinaries,
  account: Account | null,
  passwordFile: string,
  durable: boolean,
): Promise<void> {
  // initdb works in a temporary folder that is renamed when complete: an interrupted start leaves nothing half made.
  const part = join(folder, 'data.part');
  const handedOver = join(folder, 'password.part');
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  const password = randomBytes(24).toString('hex');
  await rm(handedOver, { force: true });
  await writeFile(handedOver, password, { mode: 0o600 });
  if (account) {
    await chown(part, account.uid, account.gid);
    await chown(handedOver, account.uid, account.gid);
  }
  // Postgres' own C.UTF-8 sorts and folds case the same on every machine, whatever its locales.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [
    '-D',
    part,
    '-U',
    superuser,
    `--pwfile=${handedOver}`,
    '--auth=scram-sha-256',
    ...(durable ? [] : ['--no-sync']),
    ...locale,
  ];
  try {
    const logFile = await freshLog(join(folder, 'initdb.log'));
    // As a child on a leash it gets no Ctrl-C of its own, and ends with this process. It takes a second, so it is left
    // to finish.
    const initdb = leash({
      command: binaries.initdb,
      args,
      logFile,
      account,
      cwd: part,
      env: { ...process.env, LC_ALL: 'C' },
    });
    const ended = await initdb.exited;
    if (ended !== 'exit code 0') {
      const reason = lastWord(await initdb.lastLines(20)) ?? ended;
      throw new StartError(`Postgres could not create its data folder ${folder}: ${reason}`);
    }
    await writeFile(passwordFile, password, { mode: 0o600 });
    await rename(part, join(folder, 'data'));
  } finally {
    await rm(handedOver, { force: true });
    await rm(part, { recursive: true, force: true });
  }
}
