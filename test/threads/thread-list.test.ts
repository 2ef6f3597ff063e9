import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
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
const counts = async (query = '') =>
  (await api.call<Schemas['ThreadCounts']>('GET', `/v1/thread-counts?${query}`)).body;

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

describe('pages', () => {
  test.each(sorts)('by %s, up and down, hold every thread once and in order', async (sort) => {
    for (const direction of ['asc', 'desc']) {
      const path = `/v1/threads?sort=${sort}&direction=${direction}&limit=97&q=thread-0123`;
      const seen = (await everyPage<List>(api, path)).flatMap(({ data }) => data);
      expect(seen).toHaveLength(100);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(100);
      const value = {
        updated: (t: (typeof seen)[0]) => Date.parse(t.updated_at),
        created: (t: (typeof seen)[0]) => Date.parse(t.created_at),
        tokens: (t: (typeof seen)[0]) => t.live_tokens,
        messages: (t: (typeof seen)[0]) => t.last_seq,
        id: (t: (typeof seen)[0]) => Number(t.id.slice(7)),
        fill: (t: (typeof seen)[0]) => t.live_tokens / t.limit_tokens,
      }[sort];
      const values = seen.map(value);
      expect(values).toEqual(values.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)));
    }
  });

  test('a thread that moves to the top while pages are read costs no other thread its place', async () => {
    const query = 'sort=updated&limit=40&q=thread-0457';
    const first = await list(query);
    const moved = first.data[39]!.id;
    await rowsOf(
      stack.databaseUrl,
      `UPDATE threads SET updated_at = now() + interval '1 day' WHERE id = $1`,
      [moved],
    );
    const rest = await everyPage<List>(api, `/v1/threads?${query}&cursor=${first.next_cursor}`);
    const all = [first, ...rest].flatMap(({ data }) => data.map(({ id }) => id));
    expect(all).toHaveLength(100);
    expect(new Set(all).size).toBe(100);
  });

  test('a cursor of another sort, direction or list, or one that somebody made, is refused', async () => {
    const { next_cursor: cursor } = await list('sort=tokens');
    const uid = '00000000-0000-4000-8000-000000000000';
    const wrong = [
      `sort=updated&cursor=${cursor}`,
      `sort=tokens&direction=asc&cursor=${cursor}`,
      `sort=tokens&cursor=${cursor}x`,
      `sort=tokens&cursor=cDUw`,
      `sort=tokens&cursor=${cursorOf('threads.tokens.desc', 9e15, uid)}`,
      `sort=tokens&cursor=${cursorOf('threads.tokens.desc', '5; DROP', uid)}`,
      `sort=tokens&cursor=${cursorOf('threads.tokens.desc', 5, 'x')}`,
      `sort=updated&cursor=${cursorOf('threads.updated.desc', 'infinity', uid)}`,
      `sort=updated&cursor=${cursorOf('threads.updated.desc', '0000-01-01T00:00:00.000Z', uid)}`,
      `sort=fill&cursor=${cursorOf('threads.fill.desc', null, uid)}`,
      `sort=id&cursor=${cursorOf('threads.id.asc', "a'b", uid)}`,
    ];
    for (const query of wrong) {
      const answer = await api.call('GET', `/v1/threads?${query}`);
      expect(answer, query).toMatchObject({ status: 422, body: { errors: [{ path: '/cursor' }] } });
    }
    const outputs = await api.call('GET', `/v1/outputs?cursor=${cursor}`);
    expect(outputs.status).toBe(422);
  });

  test('leave out what may be megabytes', async () => {
    const { data } = await list('q=thread-000010');
    expect(data).toHaveLength(1);
    expect(data[0]).not.toHaveProperty('system');
    expect((await api.thread('thread-000010')).system).toHaveLength(120 * 33 - 1);
  });
});

describe('filters', () => {
  const ids = async (query: string) => (await list(`${query}&limit=1000&sort=id`)).data;

  test('of states: one or several', async () => {
    const parked = await ids('state=parked');
    expect(parked).toHaveLength(250);
    expect(parked.every(({ compaction }) => compaction.state === 'parked')).toBe(true);
    const some = await ids('state=parked,backoff&q=thread-00');
    expect(new Set(some.map(({ compaction }) => compaction.state))).toEqual(new Set(['parked', 'backoff']));
    for (const state of ['', 'nope', 'parked,', 'parked,nope', 'PARKED'])
      expect((await api.call('GET', `/v1/threads?state=${state}`)).status, state).toBe(422);
  });

  test('of errors: parked, backing off, failed', async () => {
    const bad = await ids('has_errors=true&q=thread-000');
    expect(bad.map(({ id }) => Number(id.slice(7)))).toEqual([1, 194, 388, 401, 582, 776, 801, 970]);
    const { total } = await counts('q=thread-000');
    expect((await counts('q=thread-000&has_errors=false')).total).toBe(total - bad.length);
  });

  test('of metadata: a pair as a whole, part of a value, never a key', async () => {
    expect(
      (await ids('metadata=user%3Duser-42')).every(({ metadata }) => metadata['user'] === 'user-42'),
    ).toBe(true);
    expect((await counts('metadata=user%3Duser-42')).total).toBe(20);
    expect((await counts('metadata=user%3Duser-4')).total).toBe(20);
    expect((await counts('metadata=ser%3Duser-4')).total).toBe(0);
    expect((await counts('q=USER-4999')).total).toBe(20);
    expect((await counts('q=agent')).total).toBe(0);
    expect((await api.call('GET', '/v1/threads?metadata=user')).status).toBe(422);
  });

  test('of metadata hold when keys and values are made of what JSON has to escape', async () => {
    const metadata = { 'a,"user': 'x', note: 'say "hi"\\ \n{"user":"user-1"}' };
    await api.createThread({ id: 'odd', metadata });
    const has = async (query: string) => (await ids(query)).map(({ id }) => id).includes('odd');
    expect(await has('metadata=user%3Dx')).toBe(false);
    expect(await has('metadata=user%3Duser-1')).toBe(false);
    expect(await has(`metadata=${encodeURIComponent('a,"user=x')}`)).toBe(true);
    expect(await has(`metadata=${encodeURIComponent(`note=${metadata.note}`)}`)).toBe(true);
    expect(await has(`q=${encodeURIComponent('SAY "hi"\\ \n')}`)).toBe(true);
    await api.call('DELETE', '/v1/threads/odd');
  });

  test('of size: fill is a share of the limit', async () => {
    const full = await list('fill_min=0.9995&sort=fill&limit=1000');
    expect(full.data.length).toBeGreaterThan(10);
    expect(full.data.every((t) => t.live_tokens / t.limit_tokens >= 0.9995)).toBe(true);
    expect((await counts('fill_min=0.9995')).total).toBe(full.data.length);
    expect((await list('min_messages=900&sort=messages')).data.every((t) => t.last_seq >= 900)).toBe(true);
    for (const bad of ['fill_min=-1', 'fill_min=x', 'fill_min=1e3', 'min_messages=1.5', 'min_tokens=-1'])
      expect((await api.call('GET', `/v1/threads?${bad}`)).status, bad).toBe(422);
  });

  test('of times: from, included, to, excluded', async () => {
    const [one] = (await ids('q=thread-000777')) as [Schemas['ThreadListed']];
    const at = encodeURIComponent(one.created_at);
    const later = encodeURIComponent(new Date(Date.parse(one.created_at) + 1).toISOString());
    expect((await counts(`q=thread-000777&created_after=${at}&created_before=${later}`)).total).toBe(1);
    expect((await counts(`q=thread-000777&created_before=${at}`)).total).toBe(0);
    for (const bad of ['infinity', '2026-01-01', '+275760-09-13T00:00:00Z', '2026-13-01T00:00:00Z', '1'])
      expect(
        (await api.call('GET', `/v1/threads?updated_after=${encodeURIComponent(bad)}`)).status,
        bad,
      ).toBe(422);
    const edges = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(encodeURIComponent);
    expect((await counts(`created_after=${edges[0]}&created_before=${edges[1]}`)).total).toBe(threads);
  });

  test('are what counts count: every state and the models', async () => {
    const all = await counts();
    expect(all.total).toBe(threads);
    expect(Object.values(all.states).reduce((sum, n) => sum + n, 0)).toBe(threads);
    expect(all.states.parked).toBe(250);
    expect(all.models).toHaveLength(5);
    expect(all.models.every((model) => model.threads === threads / 5)).toBe(true);
    expect((await counts('state=parked&model=gpt-4o-mini')).total).toBe(250);
    expect((await counts('state=parked&model=gpt-4o')).total).toBe(0);
  });
});
