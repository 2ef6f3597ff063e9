import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess, Stack } from '@spillway/testing';
import pg from 'pg';
import { cpuOf, cpuOfFamily, postgresPid } from '../load/cpu-time.js';
import { difference, type Spent } from './spent.js';

export interface Meter {
  /** What all processes spend while `work` runs, and until what it left to do in the background is written. */
  during(work: () => Promise<void>): Promise<Spent>;
  /** Writes everything to disk, after which the first change of each page logs the whole page. */
  checkpoint(): Promise<void>;
  /** The worker whose CPU counts. */
  watchWorker(worker: AppProcess): void;
  close(): Promise<void>;
}

/** Events and usage are written after the answer, within this time. */
const settleMs = 1_500;

export async function openMeter(stack: Stack): Promise<Meter> {
  const database = new pg.Client(stack.databaseUrl);
  await database.connect();
  let worker = stack.workers[0]!;
  const one = async (text: string): Promise<Record<string, number>> => {
    const { rows } = await database.query<Record<string, string>>(text);
    return Object.fromEntries(Object.entries(rows[0]!).map(([key, value]) => [key, Number(value)]));
  };
  const server = await postgresPid(stack.databaseUrl);
  const redis = await redisMeter(stack);
  const now = async (): Promise<Spent> => ({
    seconds: performance.now() / 1_000,
    apiMs: await cpuOf(stack.api.pid),
    workerMs: await cpuOf(worker.pid),
    postgresMs: await cpuOfFamily(server),
    redisMs: await cpuOf(redis.pid),
    ...((await one(ofPostgres)) as Pick<Spent, 'logBytes' | 'fullPages' | 'storedBytes'>),
    outputBytes: await bytesBelow(stack.outputsFolder),
    ...(await redis.now()),
  });
  return {
    during: async (work) => {
      const before = await now();
      await work();
      await sleep(settleMs);
      return difference(await now(), before);
    },
    checkpoint: async () => void (await database.query('CHECKPOINT')),
    watchWorker: (started) => (worker = started),
    close: () => database.end(),
  };
}

const ofPostgres = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS "logBytes",
  (SELECT wal_fpi FROM pg_stat_wal) AS "fullPages", pg_database_size(current_database()) AS "storedBytes"`;

async function redisMeter({ redis }: Stack) {
  if (!redis) throw new Error('This bench needs a stack with Redis.');
  const numberIn = (answer: string, name: string): number => {
    const found = new RegExp(`^${name}:(\\d+)`, 'm').exec(answer);
    if (!found) throw new Error(`Redis does not say ${name}: ${answer.slice(0, 200)}`);
    return Number(found[1]);
  };
  return {
    pid: numberIn(await redis.ask('INFO server'), 'process_id'),
    now: async () => {
      const commands = (await redis.ask('INFO commandstats')).matchAll(/^cmdstat_[^:]+:calls=(\d+)/gm);
      const traffic = await redis.ask('INFO stats');
      return {
        redisCommands: [...commands].reduce((sum, [, calls]) => sum + Number(calls), 0),
        redisBytes: numberIn(traffic, 'total_net_input_bytes') + numberIn(traffic, 'total_net_output_bytes'),
      };
    },
  };
}

/** Zero for a folder that nothing was written to yet. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
