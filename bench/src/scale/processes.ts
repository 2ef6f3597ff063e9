import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, rowsOf, startStubLlm, type Stack, type StubLlm } from '@spillway/testing';
import { quantile, round, type BenchResult, type Row } from '../bench.js';
import { each } from '../load/each.js';
import { messagesOf } from '../load/texts.js';
import { load, type Load } from '../load/load.js';
import { cpuOfFamily } from '../load/cpu-time.js';

const counts = [1, 2, 4];
const inFlight = 64;
const seconds = 5;
const rounds = 3;

const requests = Array.from({ length: 1_000 }, (_, n): Load['requests'][number] => ({
  method: 'POST',
  path: `/v1/threads/processes-${n}/messages`,
  body: JSON.stringify({ messages: messagesOf(`processes-${n}`, 1) }),
}));

/** Of each worker, as by default. */
const attempts = 8;
const modelMs = 500;
const dueThreads = 128;

/** What more processes add on one machine: of the API for appends, of workers for folds by a slow model. */
export async function processes(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  await Promise.all(stack.workers.map((worker) => worker.stop()));
  const rows = [...(await apis(stack, complaints)), ...(await workers(stack, complaints))];
  return {
    name: 'processes',
    about: `Messages of 1 KB are posted to 1,000 threads, ${inFlight} at a time for ${seconds} seconds, three times in turns to an API of one, two and four processes (\`API_WORKERS\`); the load generator and Postgres use the same two cores. CPU is that of all processes of the API. Then ${dueThreads} threads become due while one, two or four workers are paused, and are folded by a stub model that takes ${modelMs} ms, ${attempts} at a time in each worker: ideal is the time that the model takes alone.`,
    complaints,
    rows,
  };
}

async function apis(stack: Stack, complaints: string[]): Promise<Row[]> {
  const measured = new Map(
    counts.map((count) => [count, { perSecond: [] as number[], cpu: [] as number[] }]),
  );
  const started = new Map<number, Awaited<ReturnType<Stack['startApi']>>>();
  for (const count of counts) started.set(count, await stack.startApi({ API_WORKERS: `${count}` }));
  for (let round = 0; round <= rounds; round++) {
    for (const [count, api] of started) {
      const before = await cpuOfFamily(api.pid);
      const loaded = await load({ url: api.url, key: stack.key, inFlight, seconds, requests });
      if (loaded.failures > 0) complaints.push(`${loaded.failures} appends failed with ${count} processes`);
      // The first round prepares statements and compiles.
      if (round === 0) continue;
      const of = measured.get(count)!;
      of.perSecond.push(loaded.perSecond);
      of.cpu.push(((await cpuOfFamily(api.pid)) - before) / loaded.latencies.length);
    }
  }
  for (const api of started.values()) await api.stop();
  const alone = quantile(measured.get(1)!.perSecond, 0.5);
  return counts.map((count) => {
    const { perSecond, cpu } = measured.get(count)!;
    const own = quantile(perSecond, 0.5);
    return {
      what: `POST of 1 KB, API of ${processesOf(count)}`,
      value: `${round(own, 0)}/s, ${round(quantile(cpu, 0.5), 2)} ms of CPU each`,
      against: count === 1 ? '' : `${round(own / alone, 2)} x one process`,
      target: '',
      reached: null,
    };
  });
}

async function workers(stack: Stack, complaints: string[]): Promise<Row[]> {
  const stub = await startStubLlm();
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), delayMs: modelMs });
  const rows: Row[] = [];
  try {
    for (const count of counts) {
      const { seconds, calls } = await drain(stack, count, stub);
      const ideal = (dueThreads / (attempts * count)) * (modelMs / 1_000);
      if (calls !== dueThreads) complaints.push(`${calls} calls of the model for ${dueThreads} folds`);
      rows.push({
        what: `${dueThreads} due threads, ${count === 1 ? 'one worker' : `${count} workers`}`,
        value: `${round(seconds, 2)} s`,
        against: `${round(ideal, 2)} s of the model alone`,
        target: `>= 0.85 of ideal (${round(ideal / seconds, 2)})`,
        reached: ideal / seconds >= 0.85,
      });
    }
  } finally {
    await stub.stop();
  }
  return rows;
}

/** Seconds from when the workers go on until every thread is folded, and the calls of the model for that. */
async function drain(
  stack: Stack,
  count: number,
  stub: StubLlm,
): Promise<{ seconds: number; calls: number }> {
  const started = await Promise.all(Array.from({ length: count }, () => stack.startWorker(stub.env)));
  // Each worker has folded before: what is measured is not what it compiles and loads for its first fold.
  await makeDue(stack, `warm-${count}`, count * attempts * 2);
  await folded(stack, `warm-${count}`, count * attempts * 2);
  for (const worker of started) worker.pause();
  await makeDue(stack, `drain-${count}`, dueThreads);
  const before = stub.calls.length;
  const from = performance.now();
  for (const worker of started) worker.resume();
  await folded(stack, `drain-${count}`, dueThreads);
  const seconds = (performance.now() - from) / 1_000;
  await Promise.all(started.map((worker) => worker.stop()));
  return { seconds, calls: stub.calls.length - before };
}

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

async function makeDue(stack: Stack, prefix: string, threads: number): Promise<void> {
  const api = apiOf(stack);
  await each(threads, 16, async (n) => {
    const id = `${prefix}-${n}`;
    await api.createThread({ id, policy });
    await api.append(id, ...messagesOf(id, 14));
  });
}

async function folded(stack: Stack, prefix: string, threads: number): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const [row] = await rowsOf<{ n: number }>(
      stack.databaseUrl,
      `SELECT count(*)::int AS n FROM threads WHERE id LIKE $1 AND generation > 0`,
      [`${prefix}-%`],
    );
    if (row!.n === threads) return;
    if (performance.now() > until)
      throw new Error(`${row!.n} of ${threads} threads were folded in two minutes.`);
    await sleep(10);
  }
}

const processesOf = (count: number): string => (count === 1 ? 'one process' : `${count} processes`);
