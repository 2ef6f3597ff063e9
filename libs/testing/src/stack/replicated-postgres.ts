import { execFile } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../until.js';
import { freshDatabase, rowsOf } from './database.js';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.js';

const run = promisify(execFile);
const standbyName = 'standby';

/** A durable primary and a streaming standby that has each commit on its disk before the primary acknowledges it. */
export interface ReplicatedPostgres {
  primary: OwnPostgres;
  standby: OwnPostgres;
  /** A fresh, migrated database, on the primary and on the standby. */
  databaseUrl: string;
  standbyUrl: string;
  /** Makes the standby a primary. It acknowledges commits alone from then on. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The base backup is the folder of the stopped primary: the embedded Postgres comes without pg_basebackup, and a server
 * that was shut down in order has a consistent folder.
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const primary = await startOwnPostgres({ durable: true });
  let standby: OwnPostgres | null = null;
  const stop = async (): Promise<void> => {
    await standby?.stop();
    await primary.stop();
  };
  try {
    const databaseUrl = await freshDatabase(primary.url);
    await primary.down('fast');
    standby = await startOwnPostgres({ durable: true, prepare: (folder) => copyForStandby(primary, folder) });
    await configure(primary.folder, { synchronous_standby_names: standbyName });
    await primary.start();
    await until('the standby is synchronous', async () => {
      const rows = await rowsOf(primary.url, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
      return rows.length > 0;
    });
    const { host } = new URL(standby.url);
    const standbyUrl = Object.assign(new URL(databaseUrl), { host }).href;
    return {
      primary,
      standby,
      databaseUrl,
      standbyUrl,
      promote: async () => {
        const [row] = await rowsOf<{ done: boolean }>(standbyUrl, 'SELECT pg_promote() AS done');
        if (!row!.done) throw new Error('The standby was not promoted within a minute.');
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that recovered to the moment at which `stopped` was stopped, as one does from a base backup without its archive. */
export async function startRecoveredPostgres(stopped: OwnPostgres): Promise<OwnPostgres> {
  const recovered = await startOwnPostgres({
    durable: true,
    prepare: (folder) => copyOf(stopped, folder, 'recovery.signal', { restore_command: 'false' }),
  });
  await until('it has recovered', async () => {
    const [row] = await rowsOf<{ done: boolean }>(recovered.url, 'SELECT NOT pg_is_in_recovery() AS done');
    return row!.done;
  });
  return recovered;
}

function copyForStandby(primary: OwnPostgres, dataDir: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primary.url);
  return copyOf(primary, dataDir, 'standby.signal', {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password} application_name=${standbyName}`,
  });
}

async function copyOf(
  { folder: source }: OwnPostgres,
  dataDir: string,
  signal: string,
  settings: Record<string, string>,
): Promise<void> {
  const folder = join(dataDir, 'postgres');
  // As root, the files belong to the account that Postgres runs as, which only `cp -a` keeps.
  await run('cp', ['-a', source, folder]);
  // Of the process that has the other server.
  await rm(join(folder, 'owner'), { force: true });
  await writeFile(join(folder, 'data', signal), '');
  await configure(folder, settings);
}

/** Settings that the next start reads. */
const configure = (folder: string, settings: Record<string, string>): Promise<void> =>
  appendFile(
    join(folder, 'data/postgresql.auto.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  );
