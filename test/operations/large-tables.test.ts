import {
  busyWebhooks,
  claimDeliveries,
  erasedThreads,
  eventsAfter,
  forgetDeliveries,
  forgetLost,
  forgetSessions,
  forgetSweeps,
  forgetThreadTokens,
  lockUnsettledMedia,
  orphanKeys,
  projectsToSweep,
  settleMedia,
  type Query,
} from '@spillway/store';
import { freshDatabase, startOwnPostgres, type OwnPostgres } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Events, deliveries, attempts, outputs, media, tokens, sessions and sweeps of each project, over eight days: those of the first day are old. */
const rows = 20_000;
const projects = 5;
const threads = 1_000;
const perDay = rows / 8;
/** Events of a project that one transaction wrote: few enough that a fresh server is past all of them. */
const perTransaction = 50;
const transactions = rows / perTransaction;

/** Of the media of the first project, those that a sweep has to look at. */
const unsettled = 30;

const project = '00000000-0000-4000-8000-000000000001';
const week = 7 * 24 * 3_600_000;
/** Where a reader is that has seen the first event. */
const behind = { xid: '1', id: '0' };

let postgres: OwnPostgres;
let database: pg.Client;
let webhook: string;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  database = new pg.Client(await freshDatabase(postgres.url));
  await database.connect();
  webhook = await fill();
});
afterAll(async () => {
  await database?.end();
  await postgres?.stop();
});

async function fill(): Promise<string> {
  const projectOf = `('00000000-0000-4000-8000-00000000000' || p)::uuid`;
  const threadOf = `md5('thread' || p || n % ${threads})::uuid`;
  const webhookOf = `md5('webhook' || p)::uuid`;
  const at = `now() - interval '8 days' + n * interval '8 days' / ${rows}`;
  // Whole days: of a day that has just begun, Postgres reads the few rows one by one.
  const onWholeDays = `date_trunc('day', now(), 'UTC') - interval '8 days' + (n - 1) * interval '8 days' / ${rows}`;
  const each = `generate_series(1, ${projects}) p, generate_series(1, ${rows}) n`;
  // Without the triggers, which would write events of their own.
  await database.query(`SET session_replication_role = replica;
    INSERT INTO projects (id, name) SELECT ${projectOf}, 'project-' || p FROM generate_series(1, ${projects}) p;
    INSERT INTO threads (project_id, uid, id, context_window, limit_tokens, trigger_tokens)
      SELECT ${projectOf}, ${threadOf}, 'thread-' || n, 8000, 8000, 6400
      FROM generate_series(1, ${projects}) p, generate_series(0, ${threads - 1}) n;
    SELECT spillway_add_event_day((now() AT TIME ZONE 'UTC')::date - n) FROM generate_series(1, 8) n;
    INSERT INTO events (project_id, xid, thread_uid, type, data, at)
      SELECT ${projectOf}, n / ${perTransaction}, ${threadOf}, 'message.recorded', '{}', ${onWholeDays} FROM ${each};
    INSERT INTO webhooks (project_id, id, url, secret, after_xid)
      SELECT ${projectOf}, ${webhookOf}, 'http://127.0.0.1', '', ${transactions} FROM generate_series(1, ${projects}) p;
    INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, type, payload, state, ended_at, next_attempt_at)
      SELECT ${projectOf}, ${webhookOf}, n, 'message.recorded', '{}', CASE WHEN n > ${rows - 100} THEN 'pending' ELSE 'delivered' END,
        CASE WHEN n <= ${rows - 100} THEN ${at} END, ${at} FROM ${each};
    INSERT INTO compaction_attempts (project_id, thread_uid, epoch, trigger, outcome, started_at, ended_at)
      SELECT ${projectOf}, ${threadOf}, n, 'threshold', 'compacted', ${at}, ${at} FROM ${each};
    INSERT INTO outputs (project_id, id, state, blob_key, bytes, lines, tokens, content_type, kind, sha256, line_index,
        pinned, created_at, expires_at)
      SELECT ${projectOf}, 'out-' || n, CASE WHEN n % 10 = 0 THEN 'deleted' ELSE 'ready' END, n, 1, 1, 1, 'text/plain', 'text',
        '', '{}', n % 10 < 3, ${at}, ${at} + CASE WHEN n % 10 < 3 THEN 0 ELSE 9 END * interval '1 day' FROM ${each};
    INSERT INTO output_bytes (project_id, bytes) SELECT project_id, sum(bytes) FROM outputs GROUP BY project_id;
    INSERT INTO media (project_id, sha256, extension, bytes, in_use, touched_at)
      SELECT ${projectOf}, n, 'png', 1, p > 1 OR n > ${unsettled}, ${at} FROM ${each};
    INSERT INTO media_uses (project_id, thread_uid, sha256) SELECT ${projectOf}, ${threadOf}, n FROM ${each};
    INSERT INTO thread_tokens (project_id, thread_uid, key_id, hash, scopes, expires_at)
      SELECT ${projectOf}, ${threadOf}, ${projectOf}, (p || '-' || n)::bytea, '{}', ${at} FROM ${each};
    INSERT INTO sessions (project_id, key_id, hash, created_at)
      SELECT ${projectOf}, ${projectOf}, (p || '-' || n)::bytea, ${at} FROM ${each};
    INSERT INTO sweeps (project_id, duration_ms, expired, over_budget, deleted, bytes_freed, started_at)
      SELECT ${projectOf}, 1, 0, 0, 1, 1, ${at} FROM ${each};
    SET session_replication_role = origin;
    ANALYZE`);
  const { rows: found } = await database.query<{ id: string }>(
    'SELECT id FROM webhooks WHERE project_id = $1',
    [project],
  );
  return found[0]!.id;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const literal = (value: unknown): string => {
  if (value === null) return 'NULL';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`);
};

/**
 * The rows that a statement reads from its tables, whether it needs them or not. It is executed as it is once Postgres
 * has stopped to plan it for each set of values, and reverted.
 */
async function rowsRead(run: (query: Query) => Promise<unknown>): Promise<number> {
  let read = 0;
  const visit = (node: PlanNode): void => {
    if (node['Relation Name'] !== undefined && node['Node Type'].includes('Scan'))
      read += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    node.Plans?.forEach(visit);
  };
  const explain: Query = async ({ name, text }, values) => {
    await database.query('BEGIN');
    try {
      await database.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await database.query(`PREPARE "${name}" AS ${text}`);
      const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      const { rows: plans } = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE "${name}"${given}`,
      );
      visit(plans[0]!['QUERY PLAN'][0].Plan);
      await database.query(`DEALLOCATE "${name}"`);
    } finally {
      await database.query('ROLLBACK');
    }
    return [];
  };
  // Without rows a caller may fail: what it makes of them is not what is measured.
  await run(explain).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  });
  return read;
}

test('a reader that is nearly up to date reads the events that are new to it', async () => {
  const after = { xid: String(transactions - 1), id: '0' };
  const read = await rowsRead((query) => eventsAfter(query, [project], after));
  expect(read).toBeGreaterThan(perTransaction);
  expect(read).toBeLessThan(5 * perTransaction);
  const others = [project, '00000000-0000-4000-8000-000000000002'];
  expect(await rowsRead((query) => eventsAfter(query, others, after))).toBeLessThan(2 * 5 * perTransaction);
});

test('a reader that is behind reads a page of events at a time', async () => {
  const read = await rowsRead((query) => eventsAfter(query, [project], behind));
  expect(read).toBeGreaterThan(500);
  expect(read).toBeLessThan(5 * 500);
});

test('a reader of one thread reads the events of that thread', async () => {
  const read = await rowsRead((query) => eventsAfter(query, [project], behind, 'thread-7'));
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan((5 * rows) / threads);
});

test('a sweep reads the deliveries that it removes', async () => {
  const read = await rowsRead((query) => forgetDeliveries(query, project, week));
  expect(read).toBeGreaterThan(0.9 * perDay);
  expect(read).toBeLessThan(3.1 * perDay);
});

test.each([
  ['sessions', forgetSessions],
  ['sweeps', forgetSweeps],
])('a sweep reads the %s that it removes', async (_, forget) => {
  const read = await rowsRead((query) => forget(query, project, week));
  expect(read).toBeGreaterThan(0.9 * perDay);
  expect(read).toBeLessThan(3.1 * perDay);
  expect(await rowsRead((query) => forget(query, project, 2 * week))).toBeLessThan(30);
});

test('a sweep of the storage reads the rows of its blobs, and no other', async () => {
  const keys = [
    ...Array.from({ length: 400 }, (_, n) => `${n + 1}`),
    ...Array.from({ length: 400 }, (_, n) => `${project}/media/${n + 1}.png`),
    ...Array.from({ length: 200 }, (_, n) => `${project}/threads/${project}/outputs/${n}.txt`),
  ];
  const read = await rowsRead((query) => orphanKeys(query, project, keys));
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(2 * keys.length);
});

test('a sweep with nothing to remove reads next to nothing', async () => {
  expect(await rowsRead((query) => forgetDeliveries(query, project, 2 * week))).toBeLessThan(5_500);
});

test('a sweep reads no thread that has nothing to sweep, and no attempt that ended', async () => {
  expect(await rowsRead((query) => erasedThreads(query, project))).toBeLessThan(10);
  expect(await rowsRead((query) => forgetLost(query, project))).toBeLessThan(10);
});

test('a sweep with no token to forget reads none', async () => {
  expect(await rowsRead((query) => forgetThreadTokens(query, project, 4 * week))).toBe(0);
});

test('a sweep reads the media that it has to look at, and a use of each', async () => {
  expect(await rowsRead((query) => lockUnsettledMedia(query, project, 200))).toBe(unsettled);
  const hashes = Array.from({ length: unsettled }, (_, n) => `${n + 1}`);
  expect(await rowsRead((query) => settleMedia(query, project, hashes))).toBeLessThan(5 * unsettled);
});

test('projects with nothing to sweep are told by a few rows of each', async () => {
  const limits = {
    maxBytes: 10 * rows,
    keepDeliveriesMs: 2 * week,
    keepTokensMs: 4 * week,
    keepWritersMs: 2 * week,
    keepSweepsMs: 2 * week,
    keepSessionsMs: 2 * week,
  };
  expect(await rowsRead((query) => projectsToSweep(query, limits))).toBeLessThan(12 * projects);
});

test('a worker reads the webhooks and the deliveries that are due', async () => {
  expect(await rowsRead((query) => busyWebhooks(query))).toBeLessThan(10 * projects);
  const of = { projectId: project, webhookId: webhook, limit: 20, leaseMs: 1_000 };
  expect(await rowsRead((query) => claimDeliveries(query, of))).toBeLessThan(500);
});
