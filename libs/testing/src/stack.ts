import { createHash, randomBytes } from 'node:crypto';
import { freePort, temporaryFolder } from '@spillway/embedded';
import { pathToFileURL } from 'node:url';
import { startApp, type AppProcess } from './app-process.js';
import { freshDatabase, rowsOf } from './database.js';
import { startTestRedis, type Running } from './services.js';

export interface StackOptions {
  workers?: number;
  redis?: boolean;
  env?: Record<string, string>;
}

/** A whole Spillway of its own: database, Redis, API and workers as real processes. */
export interface Stack {
  url: string;
  key: string;
  databaseUrl: string;
  redis: Running | null;
  api: AppProcess;
  workers: AppProcess[];
  outputsFolder: string;
  startWorker(): Promise<AppProcess>;
  /** A key of another project. */
  addProject(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startStack({ workers = 1, redis = true, env = {} }: StackOptions = {}): Promise<Stack> {
  const key = `sw_${randomBytes(20).toString('hex')}`;
  const folder = await temporaryFolder();
  const databaseUrl = await freshDatabase();
  const server = redis ? await startTestRedis() : null;
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: server?.url ?? '',
    SPILLWAY_OUTPUTS: pathToFileURL(`${folder.path}/outputs`).href,
    SPILLWAY_BOOTSTRAP_KEY: key,
    SPILLWAY_POOL: '8',
    ...env,
  };
  const running: AppProcess[] = [];
  const startWorker = async () => {
    const worker = await startApp('worker', await freePort(), settings);
    running.push(worker);
    return worker;
  };
  const stop = async () => {
    await Promise.all(running.map((app) => app.kill()));
    await server?.stop();
    await folder.remove();
  };
  try {
    const api = await startApp('api', await freePort(), settings);
    running.push(api);
    const started = await Promise.all(Array.from({ length: workers }, startWorker));
    const addProject = (name: string) => newProject(databaseUrl, name);
    const outputsFolder = `${folder.path}/outputs`;
    return {
      url: api.url,
      key,
      databaseUrl,
      redis: server,
      api,
      workers: started,
      outputsFolder,
      startWorker,
      addProject,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function newProject(databaseUrl: string, name: string): Promise<string> {
  const key = `sw_${randomBytes(20).toString('hex')}`;
  await rowsOf(
    databaseUrl,
    `WITH p AS (INSERT INTO projects (name) VALUES ($1) RETURNING id)
     INSERT INTO api_keys (project_id, name, prefix, hash, scopes) SELECT id, 'test', 'sw_', $2, '{admin}' FROM p`,
    [name, createHash('sha256').update(key).digest()],
  );
  return key;
}
