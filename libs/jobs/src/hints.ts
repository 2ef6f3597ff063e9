import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { catalogue, schedule, type JobName, type Payload, type Schedule } from './catalogue.js';

/** Where jobs are announced. A hint that gets lost costs latency, never work: Postgres knows what is due. */
export interface Hints {
  /** Announces a job; one with the same key that still waits is enough. Never throws and never waits long. */
  send<Name extends JobName>(name: Name, payload: Payload<Name>, key: string): Promise<boolean>;
  /** Makes sure that the repeating jobs repeat as the schedule says: a wiped Redis has forgotten them. */
  schedule(): Promise<boolean>;
  /** Asks Redis: a connection may be open and nobody answer. */
  ping(): Promise<boolean>;
  /** How many workers Redis knows of; null when it can't say. */
  workers(): Promise<number | null>;
  close(): Promise<void>;
}

/** Hints for a service without Redis: nothing is sent, and the worker polls Postgres. */
export const noHints: Hints = {
  send: () => Promise.resolve(false),
  schedule: () => Promise.resolve(false),
  ping: () => Promise.resolve(false),
  workers: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

export const queueName = (name: JobName): string => `spillway-${name}`;

export function openHints(
  redisUrl: string,
  onError: (error: Error) => void,
  everyMs: Schedule = schedule,
): Hints {
  const connection = new Redis(redisUrl, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: 500,
    connectTimeout: 5_000,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  connection.on('error', onError);
  const names = Object.keys(catalogue) as JobName[];
  const queues = new Map<JobName, Queue>();
  // A queue looks Redis up as soon as it is made, so none is made before Redis answers.
  connection.once('ready', () => {
    for (const name of names) {
      const queue = new Queue(queueName(name), { connection });
      queue.on('error', onError);
      queues.set(name, queue);
    }
  });
  const isConnected = () => connection.status === 'ready' && queues.size > 0;
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (!isConnected()) return false;
    try {
      await work();
      return true;
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  };

  return {
    send: (name, payload, key) =>
      attempt(() =>
        queues
          .get(name)!
          .add(name, payload, { jobId: key, attempts: 1, removeOnComplete: true, removeOnFail: true }),
      ),
    schedule: () =>
      attempt(async () => {
        for (const name of names) {
          const every = everyMs[name];
          const queue = queues.get(name)!;
          if (every && (await queue.getJobScheduler(name))?.every !== every) {
            const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
            await queue.upsertJobScheduler(name, { every }, { name, data: {}, opts });
          }
        }
      }),
    ping: () => attempt(() => connection.ping()),
    workers: async () => {
      let count: number | null = null;
      await attempt(async () => (count = await queues.get('compact-thread')!.getWorkersCount()));
      return count;
    },
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}
