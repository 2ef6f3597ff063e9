import { createHash, randomBytes } from 'node:crypto';
import { onFreePort, temporaryFolder } from '@spillway/embedded';
import { pathToFileURL } from 'node:url';
import { startApp, type AppProcess, type Memory } from './app-process.js';
import { rowsOf } from './database.js';
import { startServices, type ServiceOptions, type StackServices } from './stack-services.js';

export interface StackOptions extends ServiceOptions {
  apis?: number;
  workers?: number;
  env?: Record<string, string>;
  /** Default: more than in production, with which processes start faster. */
  memory?: Memory;
}

type Env = Record<string, string>;

/** A complete, separate Spillway: database, Redis, APIs and workers as real processes. */
export interface Stack extends Omit<StackServices, 'env'> {
  /** Of the first API. */
  url: string;
  key: string;
  api: AppProcess;
  /** All of them, the first included. */
  apis: AppProcess[];
  workers: AppProcess[];
  outputsFolder: string;
  /** More processes, optionally with their own settings (such as a crash point). The caller manages them. */
  startApi(env?: Env): Promise<AppProcess>;
  startWorker(env?: Env): Promise<AppProcess>;
  /** Starts the same program on the same port again, in its position in `apis` or `workers`. */
  restart(ended: AppProcess, env?: Env): Promise<AppProcess>;
  /** A key of another project. */
  addProject(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { apis: apiCount = 1, workers: workerCount = 1, env = {}, memory } = options;
  const key = `sw_${randomBytes(20).toString('hex')}`;
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = await temporaryFolder();
    undo.push(() => folder.remove());
    const { env: addresses, ...services } = await startServices(options, undo);
    const running = new Set<AppProcess>();
    undo.push(async () => void (await Promise.all([...running].map((app) => app.kill()))));
    const settings = {
      ...addresses,
      SPILLWAY_OUTPUTS: pathToFileURL(`${folder.path}/outputs`).href,
      SPILLWAY_BOOTSTRAP_KEY: key,
      SPILLWAY_SECRET_KEY: randomBytes(32).toString('hex'),
      SPILLWAY_POOL: '8',
      ...env,
    };
    const keep = (app: AppProcess) => {
      running.add(app);
      return app;
    };
    const start = async (kind: 'api' | 'worker', own: Env = {}) =>
      keep(await onFreePort((port) => startApp(kind, port, { ...settings, ...own }, memory)));
    // The first API creates the project and its key; the others find them.
    const apis = [await start('api')];
    while (apis.length < apiCount) apis.push(await start('api'));
    const workers = await Promise.all(Array.from({ length: workerCount }, () => start('worker')));
    return {
      ...services,
      url: apis[0]!.url,
      key,
      api: apis[0]!,
      apis,
      workers,
      outputsFolder: `${folder.path}/outputs`,
      startApi: (own) => start('api', own),
      startWorker: (own) => start('worker', own),
      restart: async (ended, own) => {
        const next = keep(await ended.again(own));
        running.delete(ended);
        for (const list of [apis, workers]) if (list.includes(ended)) list[list.indexOf(ended)] = next;
        return next;
      },
      addProject: (name) => addProject(services.databaseUrl, name),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the key of a new project. */
export async function addProject(databaseUrl: string, name: string): Promise<string> {
  const key = `sw_${randomBytes(20).toString('hex')}`;
  await rowsOf(
    databaseUrl,
    `WITH p AS (INSERT INTO projects (name) VALUES ($1) RETURNING id)
     INSERT INTO api_keys (project_id, name, prefix, hash, scopes) SELECT id, 'test', 'sw_', $2, '{admin}' FROM p`,
    [name, createHash('sha256').update(key).digest()],
  );
  return key;
}
