import type { Schemas } from '@spillway/client';
import { eventsEdgeXid } from '@spillway/store';
import {
  apiOf,
  openEvents,
  rowsOf,
  startStack,
  sweepNow,
  until,
  type Api,
  type Stack,
} from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settled, turns } from '../folding-thread.js';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '200' } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const secret = 'CANARY-51c0';
const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
const bigResult = toolRun(
  'c',
  `${secret} line
`.repeat(4_000),
);
/** An event that is still behind a worker's transaction would be told to a stream that opens now. */
const allTold = () =>
  until('no event is held back', async () => {
    const rows = await rowsOf(stack.databaseUrl, `SELECT 1 FROM events WHERE xid >= ${eventsEdgeXid}`);
    return rows.length === 0;
  });
/** Begins a transaction of its own; `end` commits it. */
async function transactionIn(databaseUrl: string) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('BEGIN');
  const end = async () => {
    await client.query('COMMIT');
    await client.end();
  };
  return { client, end };
}
const seen = (what: string, look: () => unknown) => until(what, () => Promise.resolve(Boolean(look())));

describe('a stream', () => {
  test('tells everything that happens to a thread, in order, in ids and numbers', async () => {
    const stream = await openEvents(stack, { thread: 'told' });
    await api.createThread({ id: 'told', policy, metadata: { title: secret } });
    const posted = await api.append('told', ...bigResult);
    await api.append('told', ...turns(20, { topic: secret }));
    await settled(api, 'told', 1);
    const output = posted.messages[1]!.output!;
    expect((await api.call('DELETE', '/v1/threads/told')).status).toBe(204);
    await seen('its end', () => stream.events.some((event) => event.type === 'thread.erased'));
    const types = stream.events.map((event) => event.type);
    expect(types.slice(0, 5)).toEqual([
      'thread.changed',
      'message.recorded',
      'output.offloaded',
      'message.recorded',
      'context.overflow',
    ]);
    expect(types).toContain('output.deleted');
    const of = (type: string) => stream.events.find((event) => event.type === type)!.data;
    expect(of('message.recorded')).toEqual({
      from_seq: 1,
      to_seq: 2,
      live_tokens: posted.thread.live_tokens,
    });
    expect(of('output.offloaded')).toMatchObject({ output_id: output.id, seq: 2, bytes: output.bytes });
    expect(of('context.overflow').estimated_tokens).toBeGreaterThan(
      of('context.overflow').trigger_tokens as number,
    );
    expect(of('context.overflow').context_limit).toBe(4_000);
    expect(of('compaction.started')).toEqual({ attempt: 1, trigger: 'automatic' });
    const summarized = of('context.summarized');
    expect(summarized).toMatchObject({ generation: 1, from_seq: 1, method: 'extractive' });
    expect(summarized.preserved_messages).toBe(22 - (summarized.to_seq as number));
    expect(summarized.summary_tokens).toBeGreaterThan(0);
    expect(stream.events.every((event) => event.thread_id === 'told')).toBe(true);
    expect(JSON.stringify(stream.events)).not.toContain(secret);
    const rows = await rowsOf(stack.databaseUrl, 'SELECT 1 FROM events e WHERE e::text LIKE $1', [
      `%${secret}%`,
    ]);
    expect(rows).toEqual([]);
    stream.close();
  });

  test('tells of a compaction that was parked, and of the retry', async () => {
    const stream = await openEvents(stack, { thread: 'parked' });
    await api.createThread({
      id: 'parked',
      system: 'word '.repeat(6_000),
      policy: { context: { context_window: 8_000 } },
    });
    await api.append('parked', { role: 'user', content: 'hello' });
    await seen('it is parked', () => stream.events.some((event) => event.type === 'compaction.parked'));
    expect(stream.events.at(-1)!.data).toEqual({ attempt: 1, reason: 'irreducible' });
    const before = stream.events.length;
    await api.call('POST', '/v1/threads/parked/retry');
    await seen('the retry', () => stream.events[before]?.type === 'thread.changed');
    // Told after this test, it would be one event too many for the next.
    await seen('it is parked again', () => stream.events.at(-1)!.type === 'compaction.parked');
    stream.close();
  });

  test('is of one project, and of one thread when one is named', async () => {
    await allTold();
    const theirs = await openEvents({ url: stack.url, key: await stack.addProject('theirs') });
    const all = await openEvents(stack);
    const one = await openEvents(stack, { thread: 'one' });
    await api.append('one', { role: 'user', content: 'x' });
    await api.append('other', { role: 'user', content: 'x' });
    await seen('both', () => all.events.length === 2 && one.events.length > 0);
    expect(one.events.map((event) => event.thread_id)).toEqual(['one']);
    expect(theirs.events).toEqual([]);
    for (const stream of [theirs, all, one]) stream.close();
  });

  test('one append is one event, however many messages it has', async () => {
    const stream = await openEvents(stack, { thread: 'many' });
    await api.append('many', ...Array.from({ length: 50 }, () => ({ role: 'user', content: 'x' })));
    await seen('it', () => stream.events.length > 0);
    await sleep(400);
    expect(stream.events.map((event) => event.data.to_seq)).toEqual([50]);
    stream.close();
  });
});

describe('nothing is lost or told twice', () => {
  test('when an older transaction commits after a newer one', async () => {
    await api.append('held', { role: 'user', content: 'x' });
    await allTold();
    const stream = await openEvents(stack);
    const { client, end } = await transactionIn(stack.databaseUrl);
    await client.query(`UPDATE threads SET policy_version = policy_version + 1 WHERE id = 'held'`);
    await api.append('newer', { role: 'user', content: 'x' });
    await sleep(1_000);
    // The newer one is there to be read, and is held back: whoever had seen it would never look below it again.
    expect(stream.events).toEqual([]);
    const late = await openEvents(stack);
    await end();
    await seen('both', () => stream.events.length === 2);
    expect(stream.events.map((event) => event.thread_id)).toEqual(['held', 'newer']);
    const [lower, higher] = stream.events.map((event) => Number(event.id.split('-')[1]));
    expect(lower).toBeLessThan(higher!);
    // Who connects meanwhile starts below it too.
    await seen('both, there as well', () => late.events.length === 2);
    stream.close();
    late.close();
  });

  test('by a client that begins after the newest event of a list while an older transaction runs', async () => {
    await api.append('older', { role: 'user', content: 'x' });
    const { client, end } = await transactionIn(stack.databaseUrl);
    await client.query(`UPDATE threads SET policy_version = policy_version + 1 WHERE id = 'older'`);
    await api.append('younger', { role: 'user', content: 'x' });
    const { body } = await api.call<Schemas['EventList']>('GET', '/v1/threads/younger/events?limit=1');
    const stream = await openEvents(stack, { lastEventId: body.data[0]!.id });
    await end();
    await api.append('younger', { role: 'user', content: 'x' });
    await seen('both', () => stream.events.length >= 2);
    // The older change was not in the list, and comes; what the list showed does not come again.
    expect(stream.events.map(({ thread_id: id, data }) => [id, data.to_seq])).toEqual([
      ['older', undefined],
      ['younger', 2],
    ]);
    stream.close();
  });

  test('or delayed by a transaction in another database of the server', async () => {
    const elsewhere = new URL(stack.databaseUrl);
    elsewhere.pathname = '/postgres';
    const { client, end } = await transactionIn(elsewhere.href);
    await client.query('CREATE TEMP TABLE theirs AS SELECT 1');
    const stream = await openEvents(stack, { thread: 'prompt' });
    await api.append('prompt', { role: 'user', content: 'x' });
    await expect.poll(() => stream.events.length).toBe(1);
    await end();
    stream.close();
  });

  test('by a client that comes back with the last id it saw', async () => {
    const ids: string[] = [];
    // In a small window a quick machine writes enough for a compaction, which has events of its own.
    await api.createThread({ id: 'resumed', policy: { context: { context_window: 1_000_000 } } });
    // What is written before the first stream is open is not told to it.
    await allTold();
    const first = await openEvents(stack, { thread: 'resumed' });
    await seen('where it starts', () => first.lastId() !== '');
    first.close();
    let lastId = first.lastId();
    let writing = true;
    const writer = (async () => {
      let n = 0;
      for (; writing; n++) await api.append('resumed', { role: 'user', content: 'x' });
      return n;
    })();
    for (let round = 0; round < 8; round++) {
      const stream = await openEvents(stack, { thread: 'resumed', lastEventId: lastId });
      await sleep(150 + round * 40);
      stream.close();
      await stream.ended;
      ids.push(...stream.events.map((event) => event.id));
      lastId = stream.lastId();
    }
    writing = false;
    const written = await writer;
    const stream = await openEvents(stack, { thread: 'resumed', lastEventId: lastId });
    await seen('all of them', () => ids.length + stream.events.length >= written);
    ids.push(...stream.events.map((event) => event.id));
    stream.close();
    expect(ids).toEqual([...new Set(ids)]);
    expect((await api.thread('resumed')).last_seq).toBe(written);
    expect(ids).toHaveLength(written);
  });

  test('by a client that was cut off before the first event', async () => {
    const stream = await openEvents(stack, { thread: 'quiet' });
    await seen('an id', () => stream.lastId() !== '');
    stream.close();
    await api.append('quiet', { role: 'user', content: 'x' });
    const again = await openEvents(stack, { thread: 'quiet', lastEventId: stream.lastId() });
    await seen('it', () => again.events.length > 0);
    expect(again.events).toHaveLength(1);
    again.close();
  });

  test('by many readers, some behind and some not', { tags: 'long' }, async () => {
    const start = await openEvents(stack, { thread: 'crowd' });
    await seen('an id', () => start.lastId() !== '');
    const from = start.lastId();
    start.close();
    const total = 300;
    const posting = (async () => {
      for (let n = 0; n < total; n++) await api.append('crowd', { role: 'user', content: 'x' });
    })();
    const readers = [];
    for (let n = 0; n < 6; n++) {
      readers.push(await openEvents(stack, { thread: 'crowd', lastEventId: from }));
      await sleep(130);
    }
    await posting;
    for (const reader of readers) {
      await seen('all', () => reader.events.length >= total);
      expect(reader.events.map((event) => event.data.to_seq)).toEqual(
        Array.from({ length: total }, (_, i) => i + 1),
      );
      reader.close();
    }
  });
});

test("a thread's events are a list as well, newest first, in pages", async () => {
  for (let n = 0; n < 5; n++) await api.append('listed', { role: 'user', content: 'x' });
  interface Listed {
    data: { data: { to_seq: number } }[];
    next_cursor: string | null;
  }
  const first = await api.call<Listed>('GET', '/v1/threads/listed/events?limit=3');
  expect(first.body.data.map((event) => event.data.to_seq)).toEqual([5, 4, 3]);
  const second = await api.call<Listed>('GET', `/v1/threads/listed/events?cursor=${first.body.next_cursor}`);
  expect(second.body).toMatchObject({ next_cursor: null });
  expect(second.body.data.map((event) => event.data.to_seq)).toEqual([2, 1]);
});

test('events are kept for a week', async () => {
  await api.append('old', { role: 'user', content: 'x' });
  await api.append('old', { role: 'user', content: 'y' });
  // Without triggers, one of which keeps what is new from being moved to another partition.
  await rowsOf(
    stack.databaseUrl,
    `SET session_replication_role = replica;
     UPDATE events SET at = now() - interval '8 days' WHERE thread_uid = (SELECT uid FROM threads WHERE id = 'old')
       AND data LIKE '%"to_seq":1,%'`,
  );
  await sweepNow(stack);
  const { body } = await api.call<{ data: { data: { to_seq: number } }[] }>('GET', '/v1/threads/old/events');
  expect(body.data.map((event) => event.data.to_seq)).toEqual([2]);
});
