import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverAccount } from '../folders/account.js';
import { keepRunning } from '../processes/keep-running.js';
import { type Leashed, leash } from '../processes/leash.js';
import { freshLog } from '../processes/log-file.js';
import { claim } from '../folders/owner.js';
import { loopback, onFreePort, requireFreePort } from '../processes/port.js';
import { postgresBinaries } from './postgres-binaries.js';
import { type Cluster, cluster, superuser } from './postgres-cluster.js';
import { existingData, postgresFolder } from './postgres-folder.js';
import { clearPostmaster } from './postmaster.js';
import { StartError } from '../processes/start-error.js';
import { temporaryFolder } from '../folders/temporary-folder.js';

const database = 'spillway';
const readyWithinMs = 60_000;
const stopWithinMs = 20_000;

export type PostgresOptions = {
  /** On 127.0.0.1 only. Default: any free port. */
  port?: number;
  /** True: every commit is flushed to disk. False, for tests and the demo: a power failure may lose everything. */
  durable: boolean;
  maxConnections?: number;
  /** Restarts it on the same port after an unexpected exit. */
  revive?: boolean;
  signal?: AbortSignal;
  /** Called with a sentence for the user, such as data kept in another folder. */
  say?: (line: string) => void;
} & ({ dataDir: string; temporary?: false } | { temporary: true; dataDir?: undefined });

export interface RunningPostgres {
  url: string;
  /** Where its files are. */
  folder: string;
  stop(): Promise<void>;
}

/**
 * Starts a real Postgres that ends with this process, and waits until its database answers. Its files are in `dataDir`
 * or in a temporary folder; when the start fails, nothing stays behind. Throws StartError with a line that says what to
 * do.
 */
export const startPostgres = (options: PostgresOptions): Promise<RunningPostgres> =>
  options.port ? startOn(options.port, options) : onFreePort((port) => startOn(port, options));

async function startOn(port: number, options: PostgresOptions): Promise<RunningPostgres> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (options.port)
      await requireFreePort(options.port, 'Postgres', 'stop what uses it or choose another port');
    const account = await serverAccount(options.temporary ? null : await existingData(options.dataDir));
    const folder = await openFolder(options, account, undo);
    const binaries = await postgresBinaries(account, folder);
    const files = await cluster(folder, binaries, account, options.durable);
    await clearPostmaster(files.data, options.signal);
    options.signal?.throwIfAborted();

    const logFile = await freshLog(join(folder, 'postgres.log'));
    const launch = (): Leashed =>
      leash({
        command: binaries.postgres,
        args: serverArguments(files.data, port, options),
        // Postgres' fast shutdown: ends sessions, keeps committed data.
        endSignal: 'INT',
        env: { ...process.env, LC_ALL: 'C', PGDATA: undefined, PGPORT: undefined },
        cwd: '/',
        logFile,
        account,
      });
    const server = launch();
    undo.push(() => server.stop(stopWithinMs));
    const url = await createdDatabase(server, files, port, options.signal);
    if (options.revive) {
      const relaunch = (): Promise<Leashed> => clearPostmaster(files.data).then(launch, launch);
      const say = options.say ?? (() => undefined);
      undo.push(keepRunning(server, relaunch, { name: 'Postgres', logFile, stopWithinMs, say }));
    }
    return { url, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openFolder(
  options: PostgresOptions,
  account: Awaited<ReturnType<typeof serverAccount>>,
  undo: (() => Promise<void>)[],
): Promise<string> {
  if (options.temporary) {
    const folder = await temporaryFolder(account);
    undo.push(() => folder.remove());
    return folder.path;
  }
  const folder = await postgresFolder(options.dataDir, account);
  if (folder.notice) options.say?.(folder.notice);
  const inUse = (pid: number): string =>
    `${folder.path} is in use by another Spillway (process ${pid}): stop it, or set SPILLWAY_DATA_DIR to another folder.`;
  undo.push(await claim(join(folder.path, 'owner'), inUse));
  return folder.path;
}

function serverArguments(data: string, port: number, options: PostgresOptions): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: loopback,
    port,
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 100,
    timezone: 'UTC',
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function createdDatabase(
  server: Leashed,
  files: Cluster,
  port: number,
  signal?: AbortSignal,
): Promise<string> {
  const address = `postgresql://${superuser}:${files.password}@${loopback}:${port}`;
  const until = Date.now() + readyWithinMs;
  for (;;) {
    signal?.throwIfAborted();
    if (!server.running()) {
      const lines = await server.lastLines(20);
      const reason = lines.findLast((line) => /FATAL|PANIC|ERROR|error/.test(line)) ?? lines.at(-1);
      throw new StartError(`Postgres did not start (${await server.exited}): ${reason?.trim()}`);
    }
    try {
      await ensureDatabase(address);
      return `${address}/${database}`;
    } catch (error) {
      if (Date.now() > until)
        throw new StartError(`Postgres did not answer in ${readyWithinMs / 1000} s: ${String(error)}`);
    }
    await sleep(50, undefined, { signal });
  }
}

async function ensureDatabase(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${address}/postgres`, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (!rowCount) await client.query(`CREATE DATABASE ${database}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
