import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SpillwayError } from '@spillway/engine';
import { rowsOf, until } from '@spillway/testing';
import {
  append,
  AppendQueue,
  asProject,
  lockThread,
  type Append,
  type NewMessage,
  type Query,
  type Store,
} from '@spillway/store';
import { beforeEach, expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';
import { appendTo, message } from './posted.js';

const projects = [randomUUID(), randomUUID()] as const;

let store: Store;
let url: string;
storeAlone(8, async (on) => {
  ({ url, store } = on);
  for (const id of projects)
    await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1::uuid, $1::text)', [id]);
});

/** Names of the statements sent, in order. */
let sent: string[] = [];
const counted: Query = (statement, values) => {
  sent.push(statement.name);
  return store.query(statement, values);
};
let queue: AppendQueue;
beforeEach(() => {
  sent = [];
  queue = new AppendQueue(counted);
});

const appendOf = (threadId: string, messages: NewMessage[], projectId: string = projects[0]): Append =>
  appendTo(projectId, threadId, messages);

const as = <T>(project: string, work: () => T): T => asProject(project, 'test', work);

/** Threads with one message each. */
async function threadsOf(count: number, project: string = projects[0]): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `t-${randomUUID()}`);
  for (const id of ids)
    await as(project, () =>
      append(store.query, { ...appendOf(id, [message(null, '"first"')], project), policyVersion: 0 }),
    );
  return ids;
}

/** Seq and body of what is recorded. */
const recordedIn = async (id: string) =>
  (
    await rowsOf<{ seq: number; body: string }>(
      url,
      'SELECT m.seq, m.body FROM messages m JOIN threads t ON t.uid = m.thread_uid WHERE t.id = $1 ORDER BY m.seq',
      [id],
    )
  ).map(({ seq, body }) => `${seq} ${body}`);

test('appends that come together are written together, and each is answered its own seqs', async () => {
  const ids = await threadsOf(40);
  const rows = await as(projects[0], () =>
    Promise.all(
      ids.flatMap((id) => [
        queue.append(appendOf(id, [message(null, '"a"'), message(`${id}-b`, '"b"')])),
        queue.append(appendOf(id, [message(null, '"c"')])),
      ]),
    ),
  );
  expect(rows.map((row) => `${row?.id} ${row?.nextSeq} ${row?.liveTokens}`)).toEqual(
    ids.flatMap((id) => [`${id} 4 54`, `${id} 5 71`]),
  );
  for (const id of ids) expect(await recordedIn(id)).toEqual(['1 "first"', '2 "a"', '3 "b"', '4 "c"']);
  // The second append to a thread waits for the first.
  expect(sent).toEqual(['append-group-named', 'append-group-plain']);
});

test('appends that come while one is written wait for it and go together', async () => {
  const [first, ...later] = await threadsOf(9);
  const written = new EventEmitter();
  const slow = new AppendQueue(async (statement, values) => {
    const rows = await counted(statement, values);
    if (statement.name === 'append-plain') await once(written, 'seen');
    return rows as never;
  });
  const post = (id: string) => as(projects[0], () => slow.append(appendOf(id, [message(null, '"a"')])));
  const alone = post(first!);
  await nextTurn();
  expect(sent).toEqual(['append-plain']);
  const together = later.map(post);
  await until('the first is written', async () => (await recordedIn(first!)).length === 2);
  written.emit('seen');
  await Promise.all([alone, ...together]);
  expect(sent).toEqual(['append-plain', 'append-group-plain']);
  for (const id of [first!, ...later]) expect(await recordedIn(id)).toEqual(['1 "first"', '2 "a"']);
});

test('what waits is sent before what was written is answered, so that Postgres works meanwhile', async () => {
  const [first, second] = await threadsOf(2);
  const order: string[] = [];
  const watched = new AppendQueue((statement, values) => {
    order.push('sent');
    return store.query(statement, values);
  });
  const post = (id: string) => as(projects[0], () => watched.append(appendOf(id, [message(null, '"a"')])));
  const one = post(first!).then(() => order.push('answered'));
  await nextTurn();
  expect(order).toEqual(['sent']);
  const two = post(second!).then(() => order.push('answered'));
  await Promise.all([one, two]);
  expect(order).toEqual(['sent', 'sent', 'answered', 'answered']);
});

test('one that comes alone is one statement of its own', async () => {
  const [id] = await threadsOf(1);
  await as(projects[0], () => queue.append(appendOf(id!, [message(null, '"a"')])));
  expect(sent).toEqual(['append-plain']);
});

test('the texts of a thread do not travel with every append', async () => {
  const ids = await threadsOf(4);
  await rowsOf(url, `UPDATE threads SET system = 'Be kind.', tools = '[]' WHERE id = ANY($1)`, [ids]);
  const rows = await as(projects[0], () =>
    Promise.all(ids.map((id) => queue.append(appendOf(id, [message(null, '"a"')])))),
  );
  expect(sent).toContain('append-group-plain');
  for (const row of rows) {
    expect(row).toMatchObject({ nextSeq: 3 });
    expect(row).not.toHaveProperty('system');
    expect(row).not.toHaveProperty('tools');
  }
});

test('what is refused, known or out of date is its own affair: the rest of its group is recorded', async () => {
  const [first, second, twin, known, stale, erased, ...good] = await threadsOf(12);
  await as(projects[0], () => append(store.query, appendOf(known!, [message('id', '"known"')])));
  await rowsOf(url, `UPDATE threads SET deleted_at = now() WHERE id = $1`, [erased]);
  const settle = (one: Append) =>
    queue.append(one).then(
      (row) => row?.nextSeq,
      (error: unknown) => (error as { code?: string }).code,
    );
  const outcomes = await as(projects[0], () =>
    Promise.all([
      settle(appendOf(first!, [message(null, '"a"')])),
      settle(appendOf(second!, [message(null, '"a"')])),
      settle(appendOf(twin!, [message('same', '"a"'), message('same', '"a"')])),
      settle(appendOf(known!, [message('id', '"known"')])),
      settle({ ...appendOf(stale!, [message(null, '"a"')]), ifLastSeq: 7 }),
      settle(appendOf(erased!, [message(null, '"a"')])),
      settle(appendOf('new', [message(null, '"a"')])),
      ...good.map((id) => settle(appendOf(id, [message(null, '"a"')]))),
    ]),
  );
  expect(outcomes).toEqual([3, 3, '23505', undefined, undefined, undefined, 2, ...good.map(() => 3)]);
  expect(await recordedIn(twin!)).toEqual(['1 "first"']);
  expect(sent).toContain('append-group-named');
});

/** Another transaction holds these threads until `work` calls `release`, and at its end in any case. */
async function whileLocked(
  ids: readonly string[],
  work: (release: () => void) => Promise<void>,
): Promise<void> {
  const events = new EventEmitter();
  const holding = as(projects[0], () =>
    store.transaction(async (query) => {
      for (const id of ids) await lockThread(query, projects[0], id);
      const released = once(events, 'release');
      events.emit('locked');
      await released;
    }),
  );
  await Promise.race([once(events, 'locked'), holding]);
  try {
    await work(() => events.emit('release'));
  } finally {
    events.emit('release');
    await holding;
  }
}

test('threads that somebody has locked hold up nobody else', async () => {
  const [locked, alsoLocked, ...others] = (await threadsOf(8)) as [string, string, ...string[]];
  const post = (id: string) => as(projects[0], () => queue.append(appendOf(id, [message(null, '"a"')])));
  await whileLocked([locked, alsoLocked], async (release) => {
    const held = post(locked);
    // It has gone alone by then, and waits for the lock.
    await nextTurn();
    const waiting = Promise.all([held, post(alsoLocked)]);
    const rows = await Promise.all(others.map(post));
    expect(rows.map((row) => row?.nextSeq)).toEqual(others.map(() => 3));
    expect(await recordedIn(locked)).toEqual(['1 "first"']);
    release();
    expect((await waiting).map((row) => row?.nextSeq)).toEqual([3, 3]);
  });
});

test('a locked thread of a group is asked again by itself, while the others have their answer', async () => {
  const [one, two, locked, other] = (await threadsOf(4)) as [string, string, string, string];
  const post = (id: string) => as(projects[0], () => queue.append(appendOf(id, [message(null, '"a"')])));
  await whileLocked([locked], async (release) => {
    const late = post(locked);
    const prompt = await Promise.all([one, two, other].map(post));
    expect(prompt.map((row) => row?.nextSeq)).toEqual([3, 3, 3]);
    expect(await recordedIn(locked)).toEqual(['1 "first"']);
    release();
    expect((await late)?.nextSeq).toBe(3);
  });
  expect(sent).toEqual(['append-group-plain', 'append-plain']);
});

test('projects do not share a group', async () => {
  const mine = await threadsOf(6, projects[0]);
  const theirs = await threadsOf(6, projects[1]);
  const post = (project: string, id: string) =>
    as(project, () => queue.append(appendOf(id, [message(null, '"a"')], project)));
  const rows = await Promise.all(
    mine.flatMap((id, i) => [post(projects[0], id), post(projects[1], theirs[i]!)]),
  );
  expect(rows.map((row) => row?.projectId)).toEqual(mine.flatMap(() => projects));
  for (const id of [...mine, ...theirs]) expect(await recordedIn(id)).toEqual(['1 "first"', '2 "a"']);
});

test('after an outage nothing is sent again: nobody knows whether it was written', async () => {
  const ids = await threadsOf(8);
  const lossy: Query = async (statement, values) => {
    const rows = await counted(statement, values);
    if (statement.name.startsWith('append-group')) throw new SpillwayError('database_unavailable', 'Lost.');
    return rows as never;
  };
  const cut = new AppendQueue(lossy);
  const outcomes = await as(projects[0], () =>
    Promise.allSettled(ids.map((id) => cut.append(appendOf(id, [message(null, '"a"')])))),
  );
  const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as SpillwayError] : []));
  expect(failed.map(({ code }) => code)).toEqual(ids.map(() => 'database_unavailable'));
  for (const id of ids) expect(await recordedIn(id)).toEqual(['1 "first"', '2 "a"']);
  expect(sent).toEqual(['append-group-plain']);
});
