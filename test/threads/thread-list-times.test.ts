// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeManyThreads } from './many-threads.js';
import { timesInTurn } from '../times-in-turn.js';

const threads = 100_000;
/** How often each call is timed, and one pass over the whole table by SQL. */
const rounds = 15;
/** Threads before the page that is far down. */
const farDown = 60_000;

let stack: Stack;
let api: Api;
let client: pg.Client;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  await writeManyThreads(stack.databaseUrl, threads);
  await withoutParallelWorkers();
  client = new pg.Client(stack.databaseUrl);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await stack?.stop();
});

type List = Schemas['ThreadList'];
const list = async (query: string): Promise<List> => {
  const answer = await api.call<List>('GET', `/v1/threads?${query}`);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200);
  return answer.body;
};

/**
 * One process of Postgres does each query: starting workers takes a busy machine longer than the scan, and which query
 * gets how many of them is not what is compared.
 */
async function withoutParallelWorkers(): Promise<void> {
  const database = new URL(stack.databaseUrl).pathname.slice(1);
  await rowsOf(stack.databaseUrl, `ALTER DATABASE "${database}" SET max_parallel_workers_per_gather = 0`);
  await rowsOf(
    stack.databaseUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  await until('the API has connected again', async () => (await api.call('GET', small)).status === 200);
}

/** A call that does nearly nothing. */
const small = '/v1/threads/thread-000001';

/**
 * Reads every thread once and keeps none: what a list without a fitting index would cost at least. With a small call
 * before, since a list goes the same way from here to Postgres and back, on which a busy machine has it wait.
 */
const readAll = async () => {
  await api.call('GET', small);
  await client.query(`SELECT count(*) FROM threads WHERE metadata ILIKE '%no such text%'`);
};

/**
 * How long each call takes, as a share of one pass over all threads. All of them and the pass are measured in turn, so
 * that one series of passes does for all.
 */
async function sharesOfScan(paths: Record<string, string>): Promise<Record<string, number>> {
  const calls = Object.values(paths).map((path) => async () => {
    const { status } = await api.call('GET', path);
    expect(status).toBe(200);
  });
  const [scan, ...times] = await timesInTurn(rounds, readAll, ...calls);
  return Object.fromEntries(
    Object.keys(paths).map((what, i) => {
      const ms = times[i]!;
      console.log(`  ${what.padEnd(46)} ${ms.toFixed(0).padStart(4)} ms, a scan ${scan!.toFixed(0)} ms`);
      return [what, ms / scan!];
    }),
  );
}

/** The cursor behind the thread at that place of a sort, by SQL, and the thread that follows. */
async function positionFarDown(sort: (typeof sorts)[number]): Promise<{ cursor: string; next: string }> {
  const [expression, way] = {
    updated: ['updated_at', 'desc'],
    created: ['created_at', 'desc'],
    tokens: ['live_tokens', 'desc'],
    messages: ['next_seq', 'desc'],
    id: [`id COLLATE "C"`, 'asc'],
    fill: ['live_tokens::float8 / greatest(limit_tokens, 1)', 'desc'],
  }[sort];
  const { rows } = await client.query<{ value: unknown; uid: string; id: string }>(
    `SELECT ${expression} AS value, uid, id FROM threads
     ORDER BY ${expression} ${way}, uid ${way} OFFSET ${farDown - 1} LIMIT 2`,
  );
  return { cursor: cursorOf(`threads.${sort}.${way}`, rows[0]!.value, rows[0]!.uid), next: rows[1]!.id };
}

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

const sorts = ['updated', 'created', 'tokens', 'messages', 'id', 'fill'] as const;
const filters = {
  'nothing left out': '',
  'one state': 'state=parked',
  'several states': 'state=due,running,backoff,parked',
  'a model': 'model=gpt-4o',
  'part of an id': 'q=thread-0412',
  'part of a value of the metadata': 'q=user-4711',
  'a word of every value': 'q=user',
  'has errors': 'has_errors=true',
  'nearly full': 'fill_min=0.9&sort=fill',
  'many messages': 'min_messages=800',
  'many tokens': 'min_tokens=100000',
  'a day of activity': `updated_after=${new Date(Date.now() - 86_400_000).toISOString()}`,
  'compacted today': `compacted_after=${new Date(Date.now() - 86_400_000).toISOString()}`,
  'a pair of the metadata': 'metadata=user%3Duser-42',
};

const counted = ['', 'state=parked', 'q=user-4711'];

describe(`with ${threads} threads`, () => {
  describe('sorted', () => {
    let shares: Record<string, number>;
    const next: Record<string, string> = {};
    const deep: Record<string, string> = {};
    beforeAll(async () => {
      const paths: Record<string, string> = {};
      for (const sort of sorts) {
        const position = await positionFarDown(sort);
        next[sort] = position.next;
        deep[sort] = `sort=${sort}&cursor=${position.cursor}`;
        paths[`${sort}, first page`] = `/v1/threads?sort=${sort}`;
        paths[`${sort}, after ${farDown}`] = `/v1/threads?${deep[sort]}`;
      }
      shares = await sharesOfScan(paths);
    });

    test.each(sorts)(
      'a page sorted by %s costs a scan and a half at most, the first and one far down',
      async (sort) => {
        expect(shares[`${sort}, first page`]).toBeLessThan(1.5);
        expect((await list(`${deep[sort]}&limit=1`)).data[0]!.id).toBe(next[sort]);
        expect(shares[`${sort}, after ${farDown}`]).toBeLessThan(1.5);
      },
    );
  });

  describe('filtered and counted', () => {
    let shares: Record<string, number>;
    beforeAll(async () => {
      const pages = Object.entries(filters).map(([name, query]) => [name, `/v1/threads?${query}`]);
      const sums = counted.map((query) => [`counts ${query}`, `/v1/thread-counts?${query}`]);
      shares = await sharesOfScan(Object.fromEntries([...pages, ...sums]) as Record<string, string>);
    });

    test.each(Object.keys(filters))('filtered by %s, a page costs four scans at most', (name) => {
      expect(shares[name]).toBeLessThan(4);
    });

    test.each(counted)('counts of %j cost four scans at most', (query) => {
      expect(shares[`counts ${query}`]).toBeLessThan(4);
    });
  });
});
