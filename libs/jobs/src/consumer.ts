import { UnrecoverableError, Worker, type Job as QueuedJob } from 'bullmq';
import { Redis } from 'ioredis';
import { catalogue, type Handlers, type JobName } from './catalogue.js';
import { queueName } from './hints.js';
import type { Facts, Outcome, ReportProgress } from './job.js';

export interface Consumer {
  close(): Promise<void>;
}

export interface ConsumerOptions {
  /** Of the process, unlike all others: Redis lists its connections by it. */
  name: string;
  redisUrl: string;
  handlers: Handlers;
  onOutcome: (name: JobName, outcome: Outcome, ms: number) => void;
  onError: (error: Error) => void;
}

/** What BullMQ keeps of a job that ended. */
export type JobResult = Facts & { outcome: Outcome['kind']; ms: number };

/**
 * A connection over which nothing came for this long, although an answer is due, is opened anew. BullMQ asks for the
 * next job and waits for at most 10 s.
 */
const silentMs = 15_000;

/** Runs jobs that Redis delivers. Postgres schedules retries: a job here runs once. */
export function openConsumer(options: ConsumerOptions): Consumer {
  const connection = new Redis(options.redisUrl, {
    maxRetriesPerRequest: null,
    socketTimeout: silentMs,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  connection.on('error', options.onError);
  const workers = (Object.keys(catalogue) as JobName[]).map((name) => {
    const worker = new Worker(queueName(name), (job) => run(name, job, options), {
      connection,
      name: options.name,
      concurrency: catalogue[name].concurrency,
      lockDuration: 60_000,
      stalledInterval: 30_000,
      maxStalledCount: 1,
    });
    worker.on('error', options.onError);
    return worker;
  });
  return {
    close: async () => {
      // BullMQ would wait forever when Redis is gone.
      const closed = Promise.allSettled(workers.map((worker) => worker.close()));
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 5_000).unref())]);
      connection.disconnect();
    },
  };
}

async function run<Name extends JobName>(
  name: Name,
  job: QueuedJob,
  options: ConsumerOptions,
): Promise<JobResult> {
  const parsed = catalogue[name].payload.safeParse(job.data);
  if (!parsed.success) throw new UnrecoverableError(`${name}: ${parsed.error.message}`);
  const started = performance.now();
  const handler = options.handlers[name] as (payload: unknown, progress: ReportProgress) => Promise<Outcome>;
  const outcome = await handler(parsed.data, (progress) => {
    job.updateProgress(progress).catch(options.onError);
  });
  const ms = Math.round(performance.now() - started);
  options.onOutcome(name, outcome, ms);
  if (outcome.kind === 'retry_later' || outcome.kind === 'give_up') throw failed(outcome);
  const result = { outcome: outcome.kind, ...outcome.facts, ms };
  return outcome.kind === 'skipped' ? { ...result, reason: outcome.reason } : result;
}

/** A failed attempt is a failed job. BullMQ does not try it again: Postgres knows when the thread is due again. */
function failed(outcome: Extract<Outcome, { kind: 'retry_later' | 'give_up' }>): UnrecoverableError {
  const next = outcome.kind === 'give_up' ? 'parked' : `tried again in ${outcome.ms} ms`;
  const facts = Object.entries(outcome.facts ?? {}).map(([name, value]) => `${name} ${value}`);
  return new UnrecoverableError([`${outcome.reason}, ${next}`, ...facts].join('; '));
}
