import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onFreePort, startPostgres, temporaryFolder, type RunningPostgres } from '@spillway/embedded';
import { killTree, processTree, signalAll } from './process-tree.js';
import type { Running } from './services.js';

/** A Postgres that a test may stop and kill: same port and same data after each start. */
export interface OwnPostgres extends Running {
  port: number;
  /** Where its files are; `data` in it is the data directory. */
  folder: string;
  pid(): Promise<number>;
  /** `immediate`: no checkpoint, so the next start recovers from the log. `fast`: orderly. `kill`: SIGKILL to all. */
  down(how: 'immediate' | 'fast' | 'kill'): Promise<void>;
  /** After `down`. */
  start(): Promise<void>;
  /** SIGSTOP to all its processes: connections stay open without answers. */
  pause(): Promise<void>;
  resume(): void;
}

export interface OwnPostgresOptions {
  /** True: every commit is flushed to disk, so that acknowledged data survives `down('kill')`. */
  durable?: boolean;
  /** Fills the folder, which is still empty, before the first start. */
  prepare?: (folder: string) => Promise<void>;
}

export async function startOwnPostgres({
  durable = false,
  prepare,
}: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const folder = await temporaryFolder();
  await prepare?.(folder.path);
  const launchOn = (port: number) =>
    startPostgres({ dataDir: folder.path, port, durable, maxConnections: 200 });
  let server: RunningPostgres | null = await onFreePort(launchOn);
  let paused: number[] = [];
  const { url, folder: files } = server;
  const port = Number(new URL(url).port);
  const launch = () => launchOn(port);

  const pid = async () => Number((await readFile(join(files, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
  const resume = () => signalAll(paused.splice(0), 'SIGCONT');
  const down = async (how: 'immediate' | 'fast' | 'kill') => {
    if (!server) return;
    resume();
    if (how === 'kill') await killTree(await pid());
    if (how === 'immediate') signalAll([await pid()], 'SIGQUIT');
    await server.stop();
    server = null;
  };
  return {
    url,
    port,
    folder: files,
    pid,
    down,
    start: async () => {
      server ??= await launch();
    },
    pause: async () => {
      paused = await processTree(await pid());
      signalAll(paused, 'SIGSTOP');
    },
    resume,
    stop: async () => {
      await down('fast');
      await folder.remove();
    },
  };
}
