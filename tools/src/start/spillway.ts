import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loopback, StartError, type Teardown, temporaryFolder } from '@spillway/embedded';
import { ensureRuntimeRole, migrate } from '@spillway/store';
import { checkApps, startApps } from './apps.js';
import { type DataFolder, keptSecret, openDataFolder } from './data-folder.js';
import { checkDatabase, openDatabase } from './database.js';
import { checkRedis, openRedis } from './redis.js';
import { reachedHost } from './reached-host.js';
import type { Start } from './start-options.js';

export interface RunningSpillway {
  apiUrl: string;
  consoleUrl: string;
  apiKey: string;
  /** Where the key is kept, or null when the environment gave it. */
  apiKeyFile: string | null;
  dataDir: string;
  logs: string;
}

/**
 * Starts everything, in the order of who needs whom: Postgres, Redis, migrations, then api, worker and console.
 * Whatever has been started is in `teardown` the moment it runs, so the caller ends it all whether this returns or
 * throws. Throws StartError for what a person can put right.
 */
export async function startSpillway(start: Start, teardown: Teardown): Promise<RunningSpillway> {
  const data = await openFolder(start.dataDir, teardown);
  // Whatever can be refused is refused before anything has been started.
  await checkApps(start.ports);
  if (start.databaseUrl !== null) await checkDatabase(start.databaseUrl);
  if (start.redisUrl !== null) await checkRedis(start.redisUrl);
  start.signal.throwIfAborted();
  const here = { folder: data.path, temporary: start.dataDir === null };
  const ownerUrl = await openDatabase(start, here, teardown);
  const redisPassword = await keptSecret(join(data.path, 'redis-password'), '', 24);
  const redisUrl = await openRedis(start, redisPassword, teardown);
  const onWait = (name: string) =>
    start.say(`Migration ${name} waits for a transaction that holds its tables`);
  const applied = await migrate(ownerUrl, { onWait }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The database could not be brought up to date: ${reason}`);
  });
  if (applied.length > 0) start.say(`Applied ${applied.length} migration${applied.length === 1 ? '' : 's'}`);
  start.signal.throwIfAborted();
  const databaseUrl = await runtimeUrl(start, ownerUrl, data.path);
  const secretKeys =
    process.env['SPILLWAY_SECRET_KEY'] || process.env['SPILLWAY_SECRET_KEY_FILE']
      ? {}
      : { SPILLWAY_SECRET_KEY: await keptSecret(join(data.path, 'secret-key'), '', 32) };

  const apiKeyFile = join(data.path, 'api-key');
  const apiKey = start.apiKey ?? (await keptSecret(apiKeyFile, 'sw_', 20));
  const sessionSecret =
    process.env['CONSOLE_SESSION_SECRET'] || (await keptSecret(join(data.path, 'console-secret'), '', 32));
  const outputsUrl = start.outputsUrl ?? pathToFileURL(data.outputs).href;
  const { say, signal, watch = false } = start;
  const ports = await startApps(
    {
      host: start.host,
      ports: start.ports,
      databaseUrl,
      redisUrl,
      apiKey,
      sessionSecret,
      secretKeys,
      outputsUrl,
      logs: data.logs,
      watch,
      say,
      signal,
    },
    teardown,
  );
  return {
    apiUrl: `http://${reachedHost(start.host)}:${ports.api}`,
    consoleUrl: `http://${loopback}:${ports.console}`,
    apiKey,
    apiKeyFile: start.apiKey === null ? apiKeyFile : null,
    dataDir: data.path,
    logs: data.logs,
  };
}

/**
 * How API and workers reach the database. In the embedded Postgres they log in as a role that owns nothing; a database
 * that was given is used as it was given.
 */
async function runtimeUrl(start: Start, ownerUrl: string, folder: string): Promise<string> {
  if (start.databaseUrl !== null) return ownerUrl;
  const url = new URL(ownerUrl);
  url.username = 'spillway_runtime';
  url.password = await keptSecret(join(folder, 'database-password'), '', 24);
  await ensureRuntimeRole(ownerUrl, url.href);
  return url.href;
}

async function openFolder(dataDir: string | null, teardown: Teardown): Promise<DataFolder> {
  if (dataDir !== null) {
    const data = await openDataFolder(dataDir);
    teardown.add('the data folder', () => data.release());
    return data;
  }
  const folder = await temporaryFolder();
  teardown.add('the temporary folder', () => folder.remove());
  return openDataFolder(join(folder.path, 'data'));
}
