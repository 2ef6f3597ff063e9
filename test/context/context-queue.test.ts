import { randomUUID } from 'node:crypto';
import { rowsOf, until } from '@spillway/testing';
import {
  append,
  asProject,
  ContextQueue,
  lockThread,
  recordServed,
  servedAt,
  type Query,
  type RecordServed,
  type Store,
} from '@spillway/store';
import { beforeEach, expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';
import { appendTo, message } from '../messages/posted.js';

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
let queue: ContextQueue;
beforeEach(() => {
  sent = [];
  const counted: Query = (statement, values) => {
    sent.push(statement.name);
    return store.query(statement, values);
  };
  queue = new ContextQueue({ query: counted, transaction: store.transaction });
});

const as = <T>(project: string, work: () => T): T => asProject(project, 'test', work);

/** Threads whose messages are numbers. */
async function threadsOf(count: number, messages: number, project: string = projects[0]): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `t-${randomUUID()}`);
  const posted = Array.from({ length: messages }, (_, i) => message(null, `"${i + 1}"`));
  for (const id of ids)
    await as(project, () => append(store.query, { ...appendTo(project, id, posted), policyVersion: 0 }));
  return ids;
}

const contextOf = (threadUid: string, fingerprint: string, hash: string | null = null): RecordServed => ({
  ...{ projectId: projects[0], threadUid, seq: 2, generation: 0, fingerprint, tokens: 7, frame: '{}' },
  prompt: hash === null ? null : { text: `prompt ${hash}`, hash },
  ifRowVersion: null,
});

test('threads and messages that are asked for while others are read are read together, each with its own answer', async () => {
  const ids = await threadsOf(12, 5);
  await rowsOf(url, 'UPDATE threads SET deleted_at = now() WHERE id = $1', [ids[3]]);
  const asked = [...ids, 'never', ids[5]!];
  const rows = await as(projects[0], () => Promise.all(asked.map((id) => queue.readThread(projects[0], id))));
  expect(rows.map((row) => row?.id)).toEqual(
    asked.map((id) => (id === ids[3] || id === 'never' ? undefined : id)),
  );
  expect(sent).toContain('read-threads-with-summary');
  expect(sent.length).toBeLessThan(6);
  const windows = rows.flatMap((row, i) =>
    row ? [{ projectId: projects[0], threadUid: row.uid, after: i % 4, through: 4, also: [1, 5] }] : [],
  );
  const read = await as(projects[0], () => Promise.all(windows.map((one) => queue.readWindow(one, 100))));
  expect(sent).toContain('read-windows');
  expect(read.map((messages) => messages.map(({ seq, body }) => `${seq} ${body}`).join())).toEqual(
    windows.map(({ after }) => {
      const seqs = [1, 2, 3, 4, 5].filter((seq) => seq > after || seq === 1);
      return seqs.map((seq) => `${seq} "${seq}"`).join();
    }),
  );
});

test('one that comes alone is one statement of its own, and so is a long window', async () => {
  const [id] = await threadsOf(1, 2);
  const row = await as(projects[0], () => queue.readThread(projects[0], id!));
  const window = { projectId: projects[0], threadUid: row!.uid, after: 0, through: 2, also: [] };
  await as(projects[0], () => Promise.all(Array.from({ length: 4 }, () => queue.readWindow(window, 1e6))));
  expect(sent).toEqual(['read-thread-with-summary', ...Array<string>(4).fill('read-entries-with-bodies')]);
});

test('no group sees the threads of another project', async () => {
  const [own] = await threadsOf(1, 1);
  const [foreign] = await threadsOf(1, 1, projects[1]);
  const asked = [own!, foreign!, own!, foreign!, own!, foreign!];
  const rows = await Promise.all(
    projects.flatMap((project) => as(project, () => asked.map((id) => queue.readThread(project, id)))),
  );
  const ids = rows.map((row) => row?.id);
  expect(ids.slice(0, 6)).toEqual(asked.map((id) => (id === own ? own : undefined)));
  expect(ids.slice(6)).toEqual(asked.map((id) => (id === foreign ? foreign : undefined)));
});

test('a read that begins after a write sees it, however many wait', async () => {
  const [id] = await threadsOf(1, 1);
  await as(projects[0], async () => {
    const before = Array.from({ length: 9 }, () => queue.readThread(projects[0], id!));
    await append(store.query, appendTo(projects[0], id!, [message(null, '"new"')]));
    const after = Array.from({ length: 9 }, () => queue.readThread(projects[0], id!));
    await Promise.all(before);
    expect((await Promise.all(after)).map((row) => row?.headSeq)).toEqual(Array<number>(9).fill(2));
  });
});

test('what was served of many threads is recorded together, the later of two at one place', async () => {
  const ids = await threadsOf(8, 2);
  await as(projects[0], async () => {
    const rows = await Promise.all(ids.map((id) => queue.readThread(projects[0], id)));
    const uids = rows.map((row) => row!.uid);
    sent = [];
    const all = ['a', 'b'].flatMap((name) => uids.map((uid) => contextOf(uid, name, name)));
    expect(await Promise.all(all.map((one) => queue.record(one)))).toEqual(all.map(() => true));
    expect(sent).toContain('record-all-served');
    for (const uid of uids)
      expect(await servedAt(store.query, projects[0], uid, 2)).toMatchObject({
        ...{ fingerprint: 'b', promptHash: 'b', prompt: 'prompt b' },
      });
    // A prompt that nothing shows is not kept, whichever statement replaced it.
    const kept = await rowsOf(url, 'SELECT hash FROM served_prompts WHERE thread_uid = ANY($1)', [uids]);
    expect(kept).toEqual(uids.map(() => ({ hash: 'b' })));
  });
});

test('a prompt that another caller is just being served is not deleted with the last context that showed it before', async () => {
  const [id] = await threadsOf(1, 2);
  await as(projects[0], async () => {
    const { uid } = (await queue.readThread(projects[0], id!))!;
    await queue.record(contextOf(uid, 'first', 'a'));
    const { replaced } = await store.transaction(async (query) => {
      await recordServed(query, { ...contextOf(uid, 'concurrent', 'a'), seq: 1 });
      const replaced = queue.record(contextOf(uid, 'second', 'b'));
      await until('the context is replaced', async () => {
        return (await servedAt(store.query, projects[0], uid, 2))?.fingerprint === 'second';
      });
      return { replaced };
    });
    expect(await replaced).toBe(true);
    expect(await servedAt(store.query, projects[0], uid, 1)).toMatchObject({ prompt: 'prompt a' });
    await queue.record({ ...contextOf(uid, 'third', 'b'), seq: 1 });
    const kept = await rowsOf(url, 'SELECT hash FROM served_prompts WHERE thread_uid = $1', [uid]);
    expect(kept).toEqual([{ hash: 'b' }]);
  });
});

test('nothing is recorded of an erased thread, and a locked one holds up nobody else', async () => {
  const [erased, locked, ...free] = await threadsOf(8, 2);
  await as(projects[0], async () => {
    const uids = new Map<string, string>();
    for (const id of [erased!, locked!, ...free])
      uids.set(id, (await queue.readThread(projects[0], id))!.uid);
    await rowsOf(url, 'UPDATE threads SET deleted_at = now() WHERE id = $1', [erased]);
    const record = (id: string) => queue.record(contextOf(uids.get(id)!, 'a'));
    let isDone = false;
    const ofLocked = await store.transaction(async (query) => {
      await lockThread(query, projects[0], locked!);
      const others = Promise.all([...free, ...free].map(record));
      const ofErased = [record(erased!), record(erased!), record(erased!)];
      const waits = record(locked!).finally(() => (isDone = true));
      expect(await others).toEqual([...free, ...free].map(() => true));
      expect(await Promise.all(ofErased)).toEqual([false, false, false]);
      expect(isDone).toBe(false);
      return { waits };
    });
    expect(await ofLocked.waits).toBe(true);
  });
});

test('what was made of another version than the thread has is not recorded, alone or beside what is', async () => {
  const ids = await threadsOf(6, 2);
  await as(projects[0], async () => {
    const rows = await Promise.all(ids.map((id) => queue.readThread(projects[0], id)));
    const of = (i: number, version: string | null) => ({
      ...contextOf(rows[i]!.uid, version ?? 'read'),
      ifRowVersion: version,
    });
    const [known, ...others] = rows.map((row) => row!.rowVersion);
    expect(await queue.record(of(0, known!))).toBe(true);
    expect(await queue.record(of(0, 'stale'))).toBe(false);
    const asked = others.flatMap((version, i) => [of(i + 1, 'stale'), of(i + 1, i % 2 ? version : null)]);
    sent = [];
    const recorded = await Promise.all(asked.map((one) => queue.record(one)));
    expect(recorded).toEqual(others.flatMap(() => [false, true]));
    expect(sent).toContain('record-all-served');
    for (const [i, version] of others.entries())
      expect(await servedAt(store.query, projects[0], rows[i + 1]!.uid, 2)).toMatchObject({
        fingerprint: i % 2 ? version : 'read',
      });
  });
});

test('of contexts that are asked about together, each is told whether it is current', async () => {
  const ids = await threadsOf(6, 2);
  await as(projects[0], async () => {
    const rows = await Promise.all(ids.map((id) => queue.readThread(projects[0], id)));
    const served = rows.map((row) => contextOf(row!.uid, 'a'));
    await Promise.all(served.map((one) => queue.record(one)));
    await append(store.query, appendTo(projects[0], ids[4]!, [message(null, '"new"')]));
    const kept = rows.map((row, i) => ({
      ...{ ...served[i]!, threadId: row!.id, rowVersion: row!.rowVersion, promptHash: null },
    }));
    sent = [];
    const current = await Promise.all(kept.map((one) => queue.isStillServed(one)));
    expect(current).toEqual([true, true, true, true, false, true]);
    expect(sent).toContain('are-still-served');
  });
});
