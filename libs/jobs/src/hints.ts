import { Queue, type Job } from 'bullmq';
import { Redis } from 'ioredis';
import { catalogue, schedule, type JobName, type Payload, type Schedule } from './catalogue.js';
import { stoppedSchedules } from './stopped-schedule.js';

/** Announces jobs. A lost hint costs latency, never work: Postgres has the state. */
export interface Hints {
  /** Announces a job; does nothing when one with the same key is waiting. Never throws and never waits long. */
  send<Name extends JobName>(name: Name, payload: Payload<Name>, key: string): Promise<boolean>;
  /** Ensures the schedules of repeated jobs, which Redis loses with its data and a fast clock stops. */
  schedule(): Promise<boolean>;
  /**
   * Whether nobody else asked for this work within the time, so that of several workers one does it; true when Redis has
   * no answer.
   */
  isFirst(work: string, withinMs: number): Promise<boolean>;
  /** Writes a key: a connection may be open although nothing answers, and what answers may take no writes. */
  state(): Promise<RedisState>;
  /** Removes what the queue still shows of a thread's jobs. Whatever Redis keeps from us goes within a day. */
  forget(thread: Payload<'compact-thread'>): Promise<boolean>;
  /**
   * Number of workers with a connection that was used within the last 20 s; null when Redis is unavailable. A worker that
   * hangs keeps its connections and asks nothing; Redis answers what it asked last within 10 s, which is a use.
   */
  workers(): Promise<number | null>;
  /** Jobs in each queue; null when Redis is unavailable. */
  jobs(): Promise<Record<JobName, JobCounts> | null>;
  close(): Promise<void>;
}

/**
 * `read_only`: it answers and refuses writes, because its memory or its disk is full, or as a replica. `none`: the
 * service is set up without Redis.
 */
export type RedisState = 'ok' | 'read_only' | 'down' | 'none';

/** Jobs of a queue that have not ended. */
export type JobCounts = Record<'waiting' | 'active' | 'delayed', number>;

/** Hints for a service without Redis: nothing is sent, and the worker polls Postgres. */
export const noHints: Hints = {
  send: () => Promise.resolve(false),
  schedule: () => Promise.resolve(false),
  isFirst: () => Promise.resolve(true),
  state: () => Promise.resolve('none'),
  forget: () => Promise.resolve(false),
  workers: () => Promise.resolve(null),
  jobs: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

export const queueName = (name: JobName): string => `spillway-${name}`;

/** The queues, for somebody who looks at them. They are looked up as soon as they are asked something. */
export function openQueues(redisUrl: string, onError: (error: Error) => void) {
  const connection = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    socketTimeout: silentMs.ofQueues,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  connection.on('error', onError);
  const queues = (Object.keys(catalogue) as JobName[]).map((name) => {
    const queue = new Queue(queueName(name), { connection });
    queue.on('error', onError);
    return queue;
  });
  const close = async () => {
    await Promise.allSettled(queues.map((queue) => queue.close()));
    connection.disconnect();
  };
  return { queues, close };
}

/**
 * A connection over which nothing came for this long, although an answer is due, is opened anew: after a loss of packets
 * it may stay silent for the quarter of an hour that TCP tries.
 */
const silentMs = { ofHints: 2_000, ofQueues: 10_000 };

/** Jobs that ended stay for a while, so that people can see what the queue did. Both bounds hold. */
const kept = {
  attempts: 1,
  removeOnComplete: { age: 3_600, count: 100 },
  removeOnFail: { age: 86_400, count: 200 },
};

/** BullMQ waits for a job for at most 10 s, and then asks again. */
const maxIdleS = 20;

/** A client of a worker, as Redis lists it. */
type WorkerClient = Readonly<Partial<Record<string, string>>>;

/**
 * A worker that has enough to do in one queue asks nothing of it meanwhile, but goes on asking in the others: its
 * process hangs when all its clients are idle.
 */
const isInUse = ({ idle = '0' }: WorkerClient): boolean => Number(idle) <= maxIdleS;

/** Its process, by the name that `openConsumer` gave it. One without, of an older version, counts once for each queue. */
const processOf = ({ rawname, addr, name }: WorkerClient): string | undefined =>
  rawname?.split(':w:')[1] ?? addr ?? name;

/** Whether a job names the thread, or worked on it: that may be another one of its project than it names. */
function isOf({ data, progress }: Job, { projectId, threadId }: Payload<'compact-thread'>): boolean {
  const named = data as Partial<Payload<'compact-thread'>> | null;
  const worked = progress as { project_id?: unknown; thread_id?: unknown } | null;
  return (
    (named?.projectId === projectId && named.threadId === threadId) ||
    (worked?.project_id === projectId && worked.thread_id === threadId)
  );
}

/** Have the prefix of the queues' keys, to which a user of Redis may be limited. */
const writtenKey = 'bull:spillway-state';
const firstKey = (work: string): string => `bull:spillway-first-${work}`;

const isRefusedWrite = ({ message }: Error): boolean => /^(OOM|READONLY|MISCONF)\b/.test(message);

async function countsOf(queue: Queue): Promise<JobCounts> {
  const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
  return { waiting, active, delayed };
}

export function openHints(
  redisUrl: string,
  onError: (error: Error) => void,
  everyMs: Schedule = schedule,
): Hints {
  const connection = new Redis(redisUrl, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: 500,
    socketTimeout: silentMs.ofHints,
    connectTimeout: 5_000,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  connection.on('error', onError);
  const names = Object.keys(catalogue) as JobName[];
  const queues = new Map<JobName, Queue>();
  // A queue connects when it is created, so none is created before Redis answers.
  connection.once('ready', () => {
    for (const name of names) {
      const queue = new Queue(queueName(name), { connection });
      queue.on('error', onError);
      queues.set(name, queue);
    }
  });
  const hasStopped = stoppedSchedules();
  const isConnected = () => connection.status === 'ready' && queues.size > 0;
  /** The answer of Redis, or null when it has none. */
  const ask = async <T>(question: () => Promise<T>): Promise<T | null> => {
    if (!isConnected()) return null;
    try {
      return await question();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  };
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> =>
    (await ask(() => work().then(() => true))) ?? false;

  return {
    send: (name, payload, key) =>
      attempt(() => queues.get(name)!.add(name, payload, { deduplication: { id: key }, ...kept })),
    schedule: () =>
      attempt(async () => {
        for (const name of names) {
          const every = everyMs[name];
          const queue = queues.get(name)!;
          if (!every) continue;
          const found = await queue.getJobScheduler(name);
          const stopped = hasStopped(name, found?.next, every);
          // To change a schedule keeps its next run; to remove it first does not.
          if (stopped) await queue.removeJobScheduler(name);
          if (stopped || found?.every !== every) {
            await queue.upsertJobScheduler(name, { every }, { name, data: {}, opts: kept });
          }
        }
      }),
    isFirst: async (work, withinMs) =>
      (await ask(
        async () => (await connection.set(firstKey(work), '', 'PX', Math.ceil(withinMs), 'NX')) === 'OK',
      )) ?? true,
    state: async () => {
      if (!isConnected()) return 'down';
      try {
        await connection.set(writtenKey, '', 'EX', 60);
        return 'ok';
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        onError(error);
        return isRefusedWrite(error) ? 'read_only' : 'down';
      }
    },
    forget: (thread) =>
      attempt(async () => {
        const jobs: Job[] = await queues
          .get('compact-thread')!
          .getJobs(['wait', 'completed', 'failed'], 0, 1_000);
        await Promise.all(jobs.filter((job) => isOf(job, thread)).map((job) => job.remove()));
      }),
    workers: () =>
      ask(async () => {
        const clients = await Promise.all([...queues.values()].map((queue) => queue.getWorkers()));
        return new Set(clients.flat().filter(isInUse).map(processOf)).size;
      }),
    jobs: () =>
      ask(async () => {
        const counts = names.map(async (name) => [name, await countsOf(queues.get(name)!)] as const);
        return Object.fromEntries(await Promise.all(counts)) as Record<JobName, JobCounts>;
      }),
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}
