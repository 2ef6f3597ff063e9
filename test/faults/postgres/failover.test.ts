// @module-tag long
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  apiOf,
  checkRun,
  openJournal,
  randomOf,
  readJournal,
  rowsOf,
  startLoad,
  startReplicatedPostgres,
  startStack,
  startStubLlm,
  until,
  untilQuiet,
  type Stack,
} from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compacted, dueThread, isFull, isReady, llmEnv } from '../fault-rig.js';

type Replicated = Awaited<ReturnType<typeof startReplicatedPostgres>>;

let postgres: Replicated;
let stub: Awaited<ReturnType<typeof startStubLlm>>;
let stack: Stack;
beforeAll(async () => {
  [postgres, stub] = await Promise.all([startReplicatedPostgres(), startStubLlm()]);
  stack = await startStack({ databaseUrl: postgres.databaseUrl, proxied: true, env: llmEnv(stub) });
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
  await postgres?.stop();
});

/** Before and after the failover each. */
const acked = isFull ? 1_500 : 60;
const seed = Number(process.env.SPILLWAY_SEED ?? 1);

test('F62 a primary killed under load and its synchronous standby promoted: nothing acknowledged is lost, and folds go on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'failover-'));
  const path = join(folder, 'journal.jsonl');
  const journal = await openJournal(path);
  const api = apiOf(stack);
  const policy = { context: { context_window: 8_000, trigger_ratio: 0.4, response_reserve: 500 } };
  expect((await api.call('PUT', '/v1/policy', policy)).status).toBe(200);
  const load = startLoad({
    apis: [stack.url],
    projects: [{ name: 'default', key: stack.key }],
    threadsPerProject: isFull ? 40 : 8,
    messagesPerSecond: isFull ? 60 : 30,
    random: randomOf(seed),
    journal,
  });
  await until('there is load', () => Promise.resolve(load.stats.acked >= acked), 120_000);

  await postgres.primary.down('kill');
  const { hostname: host, port } = new URL(postgres.standbyUrl);
  stack.proxies!.postgres.lead({ host, port: Number(port) });
  // Connections reach the standby before it is promoted: it takes no writes, which is an outage and no defect.
  await until('the standby was asked', async () => {
    const { status, body } = await api.call<{ code: string }>('POST', '/v1/threads/early/messages', {
      messages: [{ role: 'user', content: 'x', id: 'early' }],
    });
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_unavailable' });
    const [row] = await rowsOf<{ clients: number }>(
      postgres.standbyUrl,
      `SELECT count(*)::int AS clients FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND query ~ 'threads' AND pid <> pg_backend_pid()`,
    );
    return row!.clients > 0;
  });
  // Nor does a load balancer send it any: an answer of before is reused for a second.
  await until('it is not ready', async () => (await fetch(`${stack.url}/readyz`)).status === 503);
  const before = load.stats.acked;
  await postgres.promote();
  await isReady(stack.api);
  await until('appends go on', () => Promise.resolve(load.stats.acked >= before + acked), 120_000);
  await load.stop();
  await journal.close();

  // A thread that is due only now is folded by the new primary.
  await dueThread(api, 'late');
  await compacted(api, 'late');
  await untilQuiet(postgres.standbyUrl, 120_000);
  const journals = [await readJournal(path)];
  const violations = await checkRun({
    databaseUrl: postgres.standbyUrl,
    outputsFolder: stack.outputsFolder,
    journals,
  });
  // What a request left staged that died with the primary is removed by a later sweep.
  expect(
    violations.filter(({ invariant }) => invariant !== 'I14'),
    `seed ${seed}`,
  ).toEqual([]);

  // The load was interrupted, or nothing was tried; and readers saw contexts on both sides.
  expect(load.stats.failures[503] ?? 0).toBeGreaterThan(0);
  expect(load.stats.acked).toBeGreaterThanOrEqual(2 * acked);
  for (const thread of new Set(journals[0]!.map((entry) => entry.thread))) {
    const { last_seq: last } = await api.context(thread);
    const answered = journals[0]!.flatMap((entry) =>
      entry.kind === 'ack' && entry.thread === thread ? [entry.seq] : [],
    );
    expect(last).toBeGreaterThanOrEqual(Math.max(0, ...answered));
  }
  await rm(folder, { recursive: true });
});
