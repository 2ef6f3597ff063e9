import { apiOf, rowsOf, type Stack } from '@spillway/testing';
import { connections, median, quantile, round, type BenchResult } from './bench.js';
import { cpuOf, cpuOfFamily, postgresPid } from './load/cpu-time.js';
import { plainInserts } from './load/plain-statements.js';
import { load, type Load } from './load/load.js';

const threads = 1_000;
const inFlight = 32;
const seconds = 5;
const rounds = 3;
const message = {
  role: 'user',
  content: 'The quick brown fox jumps over the lazy dog; pack my box. '.repeat(20).slice(0, 1_000),
};
const requests = Array.from({ length: threads }, (_, n): Load['requests'][number] => ({
  method: 'POST',
  path: `/v1/threads/ingest-${n}/messages`,
  body: JSON.stringify({ messages: [message] }),
}));

/** POST 1 KB messages to 1,000 threads, in turns with a plain INSERT of such a row. */
export async function ingestSingle(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const plain = { url: stack.databaseUrl, connections, seconds };
  const apart = {
    appends: [] as number[],
    inserts: [] as number[],
    cpuApi: [] as number[],
    cpuPostgres: [] as number[],
  };
  const alone = { appends: [] as number[], inserts: [] as number[] };
  const latencies: number[] = [];
  let answered = 0;
  const count = ({ latencies, failures }: Awaited<ReturnType<typeof load>>): void => {
    if (failures > 0) complaints.push(`${failures} appends failed`);
    answered += latencies.length;
  };
  const server = await postgresPid(stack.databaseUrl);
  // Otherwise the faster appends are, the more folds take part in the measurement: `costs` has what a fold takes.
  await apiOf(stack).call('PUT', '/v1/policy', { context: { context_window: 1_000_000 } });
  // Threads exist, and statements are prepared, before anything is measured.
  count(await load({ ...stack, inFlight, seconds, requests }));
  for (let round = 0; round < rounds; round++) {
    const before = { api: await cpuOf(stack.api.pid), postgres: await cpuOfFamily(server) };
    const loaded = await load({ ...stack, inFlight, seconds, requests });
    const done = loaded.latencies.length;
    apart.cpuApi.push(((await cpuOf(stack.api.pid)) - before.api) / done);
    apart.cpuPostgres.push(((await cpuOfFamily(server)) - before.postgres) / done);
    apart.appends.push(loaded.perSecond);
    latencies.push(...loaded.latencies);
    count(loaded);
    apart.inserts.push((await plainInserts({ ...plain, inFlight }, JSON.stringify(message))).perSecond);
    const single = await load({ ...stack, inFlight: 1, seconds: 2, requests });
    alone.appends.push(median(single.latencies));
    count(single);
    alone.inserts.push(
      (await plainInserts({ ...plain, seconds: 2, inFlight: 1 }, JSON.stringify(message))).p50,
    );
  }
  const [stored] = await rowsOf<{ n: number; gaps: number }>(stack.databaseUrl, storedOnes);
  // Requests in progress at the end of a load are cut, and may be stored.
  const cut = (rounds + 1) * inFlight + rounds;
  if (stored!.n < answered || stored!.n > answered + cut)
    complaints.push(`${answered} appends were answered, ${stored!.n} are stored`);
  if (stored!.gaps > 0) complaints.push(`${stored!.gaps} threads have gaps`);
  const ratio = median(apart.appends) / median(apart.inserts);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  const cpu = { api: median(apart.cpuApi), postgres: median(apart.cpuPostgres) };
  const inserts = `${round(median(apart.inserts), 0)}/s, plain INSERTs of such a row`;
  return {
    name: 'ingest-single',
    about:
      'Messages of 1 KB are posted to 1,000 threads, 32 at a time for 5 seconds, then one at a time for 2, three times. None of them is folded meanwhile. The baseline is a prepared INSERT of such a row from Node, without a thread that numbers it, triggers and row-level security, in turns with it. CPU is that of the process and of all of Postgres.',
    complaints,
    rows: [
      {
        what: 'POST of 1 KB, 1,000 threads, 32 in flight',
        value: `${round(median(apart.appends), 0)}/s`,
        against: inserts,
        target: `>= 0.4 x (${round(ratio, 2)} x)`,
        reached: ratio >= 0.4,
        guarded: { ratio: { value: ratio, better: 'more', within: 0.2 } },
        headline: { what: 'Messages stored, 32 requests in flight', against: inserts },
      },
      {
        what: 'its latency, p50 / p99',
        value: `${round(p50)} / ${round(p99)} ms`,
        against: 'p50',
        target: `p50 < 8 ms, p99 < 10 x p50 (${round(p99 / p50)} x)`,
        reached: p50 < 8 && p99 < 10 * p50,
      },
      {
        what: 'CPU of one append, API / Postgres',
        value: `${round(cpu.api, 2)} / ${round(cpu.postgres, 2)} ms`,
        against: '',
        target: '<= 0.2 / 0.2 ms',
        reached: cpu.api <= 0.2 && cpu.postgres <= 0.2,
      },
      {
        what: 'one at a time, p50',
        value: `${round(median(alone.appends), 2)} ms`,
        against: `${round(median(alone.inserts), 2)} ms, a plain INSERT`,
        target: '<= 1.5 ms',
        reached: median(alone.appends) <= 1.5,
      },
    ],
  };
}

const storedOnes = `SELECT count(*)::int AS n, (SELECT count(*)::int FROM (SELECT thread_uid, max(seq) <> count(*) AS gap
    FROM messages GROUP BY 1) g WHERE gap) AS gaps
  FROM messages m JOIN threads t ON t.uid = m.thread_uid WHERE t.id LIKE 'ingest-%'`;
