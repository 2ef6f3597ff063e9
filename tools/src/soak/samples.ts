import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { queueKeysOf, rowsOf } from '@spillway/testing';
import type { World } from './world.js';

/** Values that must not grow. Null when unavailable: the server was down. */
export interface Sample {
  at: number;
  apiMegabytes: number | null;
  workerMegabytes: number | null;
  descriptors: number | null;
  connections: number | null;
  /** Without keys of queued jobs: a backlog is not a leak. */
  redisKeys: number | null;
  temporaryFiles: number;
  /** How long the longest-waiting thread has been due and unclaimed; checked by value, not by growth. */
  waitSeconds: number | null;
}

export type Metric = Exclude<keyof Sample, 'at' | 'waitSeconds'>;

/** Samples every `everyMs` until stopped; then returns the samples. */
export function startSampling(world: World, everyMs: number): () => Promise<Sample[]> {
  const samples: Sample[] = [];
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(async () => void samples.push(await sampleOf(world)));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
    return samples;
  };
}

async function sampleOf({ stack, redis }: World): Promise<Sample> {
  const pids = (apps: { pid: number }[]) => apps.map((app) => app.pid);
  const [apiMegabytes, workerMegabytes, descriptors, connections, redisKeys, temporaryFiles, waitSeconds] =
    await Promise.all([
      total(pids(stack.apis), megabytes),
      total(pids(stack.workers), megabytes),
      total(pids([...stack.apis, ...stack.workers]), openDescriptors),
      unlessDown(connectionsOf(stack.databaseUrl)),
      unlessDown(queueKeysOf(redis).then((keys) => keys.unexplained)),
      filesIn(join(stack.outputsFolder, '.tmp')),
      unlessDown(longestWait(stack.databaseUrl)),
    ]);
  return {
    at: Date.now(),
    apiMegabytes,
    workerMegabytes,
    descriptors,
    connections,
    redisKeys,
    temporaryFiles,
    waitSeconds,
  };
}

/** Nothing is measured while a server or a process is down; that is checked elsewhere. */
const unlessDown = (measured: Promise<number>): Promise<number | null> =>
  measured.then(
    (value) => (Number.isFinite(value) ? value : null),
    () => null,
  );

async function total(pids: readonly number[], of: (pid: number) => Promise<number>): Promise<number | null> {
  const each = await Promise.all(pids.map((pid) => unlessDown(of(pid))));
  return each.includes(null) ? null : each.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

async function megabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

const openDescriptors = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

async function connectionsOf(databaseUrl: string): Promise<number> {
  const rows = await rowsOf<{ n: number }>(
    databaseUrl,
    `SELECT count(*)::int - 1 AS n FROM pg_stat_activity WHERE datname = current_database()`,
  );
  return rows[0]!.n;
}

async function longestWait(databaseUrl: string): Promise<number> {
  const rows = await rowsOf<{ seconds: number }>(
    databaseUrl,
    `SELECT coalesce(max(extract(epoch FROM now() - greatest(requested_at, next_attempt_at, lease_until))), 0)::float AS seconds
      FROM threads WHERE needs_compaction AND park_reason IS NULL AND deleted_at IS NULL`,
  );
  return rows[0]!.seconds;
}

const filesIn = async (folder: string): Promise<number> =>
  (
    await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    })
  ).length;
