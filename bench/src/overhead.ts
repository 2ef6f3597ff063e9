import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QueueEvents, Worker } from 'bullmq';
import pg from 'pg';
import { apiOf, type Stack } from '@spillway/testing';
import { median, quantile, round, type BenchResult } from './bench.js';

const runs = 200;
const withinMs = 30_000;
/** No sentence comes twice in the run, because a worker remembers how it judged one. */
const messageOf = (name: string) => ({
  role: 'user',
  content: Array.from({ length: 55 }, (_, i) => `All work and no play ${name} makes dull thread ${i}.`).join(
    ' ',
  ),
});
const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

/** From the append that crosses the trigger to the active summary, against an empty job. */
export async function overhead(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const api = apiOf(stack);
  const noop = await noopRoundTrips(stack.redis!.url);
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  const took: number[] = [];
  for (let i = 0; i < runs; i++) {
    const id = `overhead-${i}`;
    await api.createThread({ id, policy });
    await api.append(id, messageOf(`a${i}`), messageOf(`b${i}`), messageOf(`c${i}`));
    const started = performance.now();
    const crossed = await api.append(id, messageOf(`d${i}`));
    if (crossed.thread.compaction.state !== 'due') complaints.push(`${id} did not cross its trigger`);
    if (!(await isCompacted(database, id))) complaints.push(`${id} was not compacted within ${withinMs} ms`);
    took.push(performance.now() - started);
    if ((await generationOf(database, id)) !== 1) complaints.push(`${id} was compacted more than once`);
  }
  await database.end();
  const p50 = median(took);
  return {
    name: 'overhead',
    about:
      'Two hundred threads cross their trigger, one after the other. The time runs from the append that crosses it until the summary is active.',
    complaints,
    rows: [
      {
        what: 'trigger crossed -> summary active (extractive, its time included), p50 / p99',
        value: `${round(p50)} / ${round(quantile(took, 0.99))} ms`,
        against: `${round(median(noop))} ms, a BullMQ job that does nothing`,
        target: `<= 20 / 60 ms (${round(p50 / median(noop))} x)`,
        reached: p50 <= 20 && quantile(took, 0.99) <= 60,
        guarded: { ratio: { value: p50 / median(noop), better: 'less', within: 0.4 } },
        headline: {
          what: 'Trigger crossed to summary active, without a model, p50 / p99',
          against: `${round(median(noop))} ms of an empty BullMQ job`,
        },
      },
    ],
  };
}

/** Looks every other millisecond over one connection, so that looking takes little of what is measured. */
async function isCompacted(database: pg.Client, id: string): Promise<boolean> {
  const until = performance.now() + withinMs;
  while ((await generationOf(database, id)) === 0) {
    if (performance.now() > until) return false;
    await sleep(2);
  }
  return true;
}

async function generationOf(database: pg.Client, id: string): Promise<number> {
  const text = 'SELECT generation FROM threads WHERE id = $1';
  const { rows } = await database.query<{ generation: number }>({ name: 'generation', text, values: [id] });
  return rows[0]!.generation;
}

async function noopRoundTrips(redisUrl: string): Promise<number[]> {
  const { hostname: host, port } = new URL(redisUrl);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue('bench-noop', { connection });
  const events = new QueueEvents('bench-noop', { connection });
  const worker = new Worker('bench-noop', () => Promise.resolve(1), { connection });
  await Promise.all([worker.waitUntilReady(), events.waitUntilReady()]);
  const took: number[] = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    const job = await queue.add('noop', {});
    await job.waitUntilFinished(events);
    took.push(performance.now() - started);
  }
  await Promise.all([worker.close(), events.close(), queue.close()]);
  return took;
}
