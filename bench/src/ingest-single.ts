import { createHash, randomUUID } from 'node:crypto';
import { append, asProject, asService, openStore, readSettings } from '@spillway/store';
import { rowsOf, type Stack } from '@spillway/testing';
import { median, quantile, round, type BenchResult } from './bench.js';
import { closedLoop } from './closed-loop.js';

const threads = 1_000;
const inFlight = 32;
const seconds = 5;
const rounds = 3;
const content = 'The quick brown fox jumps over the lazy dog; pack my box. '.repeat(20).slice(0, 1_000);
const body = JSON.stringify({ messages: [{ role: 'user', content }] });

/** POST 1 KB messages to 1,000 threads, against the same statement from Node with pg, alternating. */
export async function ingestSingle(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const api: number[] = [];
  const baseline: number[] = [];
  const latencies: number[] = [];
  let acked = 0;
  for (let round = 0; round < rounds; round++) {
    const loaded = await closedLoop({
      ...stack,
      inFlight,
      seconds,
      next: (n) => ({ method: 'POST', path: `/v1/threads/ingest-${n % threads}/messages`, body }),
    });
    if (loaded.failures > 0) complaints.push(`${loaded.failures} appends failed`);
    acked += loaded.latencies.length;
    latencies.push(...loaded.latencies);
    api.push(loaded.perSecond);
    baseline.push(await statementBaseline(stack, round));
  }
  const [stored] = await rowsOf<{ n: number; gaps: number }>(
    stack.databaseUrl,
    `SELECT count(*)::int AS n, (SELECT count(*)::int FROM (SELECT thread_uid, max(seq) <> count(*) AS gap
       FROM messages GROUP BY 1) g WHERE gap) AS gaps FROM messages m
     JOIN threads t ON t.uid = m.thread_uid WHERE t.id LIKE 'ingest-%'`,
  );
  if (stored!.n !== acked) complaints.push(`${acked} appends were answered, ${stored!.n} are stored`);
  if (stored!.gaps > 0) complaints.push(`${stored!.gaps} threads have gaps`);
  const ratio = median(api) / median(baseline);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return {
    name: 'ingest-single',
    about:
      'Messages of 1 KB are posted to 1,000 threads, 32 at a time, for 5 seconds, three times. The baseline is the same SQL statement called from Node, in turns with it.',
    complaints,
    rows: [
      {
        what: 'POST of 1 KB, 1,000 threads, 32 in flight',
        value: `${round(median(api), 0)}/s`,
        against: `${round(median(baseline), 0)}/s, the statement alone`,
        target: `>= 0.5 x (${round(ratio, 2)} x)`,
        reached: ratio >= 0.5,
        guarded: { ratio: { value: ratio, better: 'more', within: 0.2 } },
        headline: {
          what: 'Messages stored, 32 requests in flight',
          against: `${round(median(baseline), 0)}/s by the SQL statement alone`,
        },
      },
      {
        what: 'its latency, p50 / p99',
        value: `${round(p50)} / ${round(p99)} ms`,
        against: 'p50',
        target: `p99 < 10 x p50 (${round(p99 / p50)} x)`,
        reached: p99 < 10 * p50,
      },
    ],
  };
}

/** The append statement alone, with the same number in flight: the baseline of Postgres on this machine. */
async function statementBaseline(stack: Stack, round: number): Promise<number> {
  const store = openStore({ url: stack.databaseUrl, maxConnections: inFlight, onError: () => undefined });
  const [project] = await rowsOf<{ id: string }>(
    stack.databaseUrl,
    `SELECT id FROM projects WHERE name = 'default'`,
  );
  const { settingsVersion } = (await asService(() => readSettings(store, project!.id)))!;
  const message = JSON.stringify({ role: 'user', content });
  const hash = createHash('sha256').update(message).digest();
  const known = new Set<number>();
  let n = 0;
  let done = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const thread = n++ % threads;
      const row = await append(store.query, {
        projectId: project!.id,
        threadId: `baseline-${round}-${thread}`,
        newUid: randomUUID(),
        baseTokens: 3,
        contextWindow: 128_000,
        limitTokens: 120_000,
        triggerTokens: 100_000,
        summaryEnabled: true,
        ahead: { tokens: null, makeAfterMs: null, idleMs: null },
        settingsVersion,
        policyVersion: known.has(thread) ? 1 : 0,
        ifLastSeq: null,
        weight: 250,
        leading: 0,
        messages: [
          {
            clientId: null,
            role: 'user',
            pinned: false,
            tokens: 250,
            fullTokens: 250,
            calls: null,
            answers: null,
            body: message,
            hash,
            outputId: null,
            outputs: [],
            format: 'openai',
            images: 0,
            media: null,
            mediaHashes: [],
          },
        ],
      });
      known.add(thread);
      if (row) done++;
    }
  };
  await asProject(project!.id, 'bench', () => Promise.all(Array.from({ length: inFlight }, worker)));
  const perSecond = done / ((performance.now() - started) / 1000);
  await store.close();
  return perSecond;
}
