import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
import { writeManyThreads } from './many-threads.js';

/** Times of many more are in thread-list-times.test.ts. */
const threads = 10_000;

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  await writeManyThreads(stack.databaseUrl, threads);
});
afterAll(() => stack?.stop());

type List = Schemas['ThreadList'];
const list = async (query: string): Promise<List> => {
  const answer = await api.call<List>('GET', `/v1/threads?${query}`);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200);
  return answer.body;
};
const counts = async (query = '') =>
  (await api.call<Schemas['ThreadCounts']>('GET', `/v1/thread-counts?${query}`)).body;

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

const sorts = ['updated', 'created', 'tokens', 'messages', 'id', 'fill'] as const;

describe('pages', () => {
  test.each(sorts)('by %s, up and down, hold every thread once and in order', async (sort) => {
    for (const direction of ['asc', 'desc']) {
      const path = `/v1/threads?sort=${sort}&direction=${direction}&limit=97&q=thread-0012`;
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
    const query = 'sort=updated&limit=40&q=thread-0045';
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
    expect(parked).toHaveLength(threads / 400);
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
    expect((await counts('metadata=user%3Duser-42')).total).toBe(threads / 5_000);
    expect((await counts('metadata=user%3Duser-4')).total).toBe(threads / 5_000);
    expect((await counts('metadata=ser%3Duser-4')).total).toBe(0);
    expect((await counts('q=USER-4999')).total).toBe(threads / 5_000);
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
    const full = await list('fill_min=0.995&sort=fill&limit=1000');
    expect(full.data.length).toBeGreaterThan(10);
    expect(full.data.every((t) => t.live_tokens / t.limit_tokens >= 0.995)).toBe(true);
    expect((await counts('fill_min=0.995')).total).toBe(full.data.length);
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
    expect(all.states.parked).toBe(threads / 400);
    expect(all.models).toHaveLength(5);
    expect(all.models.every((model) => model.threads === threads / 5)).toBe(true);
    expect((await counts('state=parked&model=gpt-4o-mini')).total).toBe(threads / 400);
    expect((await counts('state=parked&model=gpt-4o')).total).toBe(0);
  });
});
