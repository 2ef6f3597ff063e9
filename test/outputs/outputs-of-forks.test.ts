import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, sweepNow, type Api, type Stack } from '@spillway/testing';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  await mkdir(stack.outputsFolder, { recursive: true });
});
afterAll(() => stack?.stop());

const log = (word: string) =>
  Array.from({ length: 3_000 }, (_, i) => `line ${i + 1} ${i === 1_499 ? word : 'hay'}`).join('\n');
const say = (content: string) => ({ role: 'user', content });
const run = (id: string, content: string) => [...toolRun(id, content)];

/** A thread whose message 3 has an output. Returns its id. */
async function offload(thread: string): Promise<string> {
  const posted = await api.append(thread, say('Run it.'), ...run('c1', log(`needle-${thread}`)));
  return posted.messages[2]!.output!.id;
}

async function fork(thread: string, id: string): Promise<void> {
  const { status } = await api.call('POST', `/v1/threads/${thread}/fork`, { id });
  expect(status).toBe(201);
}

const erase = async (thread: string, seq?: number): Promise<void> => {
  const path = `/v1/threads/${thread}${seq === undefined ? '' : `/messages/${seq}`}`;
  expect((await api.call('DELETE', path)).status).toBe(204);
};

/** The status of a read, and of which thread the output is. */
async function read(id: string) {
  const { status } = await api.call('GET', `/v1/outputs/${id}/content?head=1`);
  const { body } = await api.call<Schemas['Output']>('GET', `/v1/outputs/${id}`);
  return { status, state: body.state, thread: body.thread_id };
}
const isWhole = async (thread: string, word = thread) =>
  JSON.stringify(await api.originals(thread)).includes(`needle-${word}`);
const found = async (thread: string, word: string) =>
  (await api.call<{ data: unknown[] }>('GET', `/v1/threads/${thread}/search?q=needle-${word}`)).body.data
    .length;
const listed = async (thread: string) =>
  (await api.call<Schemas['OutputList']>('GET', `/v1/threads/${thread}/outputs`)).body.data;
const storedFiles = async () =>
  (await readdir(stack.outputsFolder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
    .length;
const readableBytes = async () =>
  (
    await rowsOf<{ bytes: number }>(stack.databaseUrl, 'SELECT sum(bytes)::float8 AS bytes FROM output_bytes')
  )[0]!.bytes;

test('a fork reads, lists, searches and keeps the outputs of its parent, which are stored and counted once', async () => {
  const id = await offload('shared');
  const [files, bytes] = [await storedFiles(), await readableBytes()];
  await fork('shared', 'shared-fork');
  expect([await storedFiles(), await readableBytes()]).toEqual([files, bytes]);
  const [own] = await listed('shared');
  expect(await listed('shared-fork')).toEqual([{ ...own, thread_id: 'shared-fork' }]);
  expect(await isWhole('shared-fork', 'shared')).toBe(true);
  expect(await found('shared-fork', 'shared')).toBe(await found('shared', 'shared'));
  expect(await found('shared-fork', 'shared')).toBeGreaterThan(0);
  expect(await api.thread('shared-fork')).toMatchObject({ output_count: 1 });
  const tool = (thread: string) =>
    api.call<Schemas['ToolResult']>('POST', `/v1/threads/${thread}/tools/read_output`, {
      arguments: { id, lines: '1500-1500' },
    });
  expect((await tool('shared-fork')).body).toMatchObject({ is_error: false });
  expect((await tool('shared-fork')).body.text).toContain('needle-shared');
  await api.append('stranger', say('Hello.'));
  expect((await tool('stranger')).body).toMatchObject({ is_error: true });
  // What is kept in the fork is not kept in its parent.
  const policy = { context: { context_window: 200_000 } };
  for (const thread of ['shared', 'shared-fork'])
    await api.call('PATCH', `/v1/threads/${thread}`, { policy, model: null });
  const kept = await api.call<Schemas['Held']>('POST', `/v1/outputs/${id}/keep?thread=shared-fork`);
  expect(kept).toMatchObject({ status: 200 });
  const holds = await rowsOf(
    stack.databaseUrl,
    `SELECT t.id, m.hold FROM messages m JOIN threads t ON t.uid = m.thread_uid
     WHERE t.id LIKE 'shared%' AND m.seq = 3 ORDER BY t.id`,
  );
  expect(holds).toEqual([
    { id: 'shared', hold: null },
    { id: 'shared-fork', hold: 'whole' },
  ]);
  const strange = await api.call('POST', `/v1/outputs/${id}/keep?thread=stranger`);
  expect(strange).toMatchObject({ status: 404, body: { code: 'output_not_found' } });
});

test('pages of the outputs of a fork are those of its parent', async () => {
  for (let i = 0; i < 6; i++) await api.append('paged', say('Run it.'), ...run(`c${i}`, log(`page-${i}`)));
  await fork('paged', 'paged-fork');
  await api.append('paged-fork', ...run('own', log('own')));
  const pages = async (thread: string, limit: number) => {
    const path = `/v1/threads/${thread}/outputs?limit=${limit}`;
    return (await everyPage<Schemas['OutputList']>(api, path)).flatMap(({ data }) =>
      data.map(({ id }) => id),
    );
  };
  const all = await pages('paged-fork', 50);
  expect(all.slice(1)).toEqual(await pages('paged', 50));
  for (const limit of [1, 2, 3, 4]) expect(await pages('paged-fork', limit), String(limit)).toEqual(all);
});

describe('an erasure takes what nobody else has', () => {
  test('of the parent: the fork keeps its output, through sweeps, until it is erased too', async () => {
    const id = await offload('gone');
    const files = await storedFiles();
    await fork('gone', 'heir');
    await erase('gone');
    expect(await read(id)).toEqual({ status: 200, state: 'ready', thread: 'heir' });
    await sweepNow(stack);
    await sweepNow(stack);
    expect(await storedFiles()).toBe(files);
    expect(await isWhole('heir', 'gone')).toBe(true);
    expect(await found('heir', 'gone')).toBeGreaterThan(0);
    expect(await listed('heir')).toMatchObject([{ id, thread_id: 'heir', seq: 3 }]);
    await erase('heir');
    expect((await read(id)).status).toBe(410);
    await sweepNow(stack);
    expect(await storedFiles()).toBe(files - 1);
  });

  test('of the fork: the parent keeps its output', async () => {
    const id = await offload('kept');
    await fork('kept', 'short-lived');
    await erase('short-lived');
    await sweepNow(stack);
    expect(await read(id)).toEqual({ status: 200, state: 'ready', thread: 'kept' });
    expect(await isWhole('kept')).toBe(true);
    const uses = await rowsOf(stack.databaseUrl, 'SELECT FROM output_uses WHERE output_id = $1', [id]);
    expect(uses).toEqual([]);
    await erase('kept');
    expect((await read(id)).status).toBe(410);
  });

  test('of one message: in the thread that owns the output, and in the one that shares it', async () => {
    const id = await offload('pieces');
    await fork('pieces', 'pieces-1');
    await fork('pieces', 'pieces-2');
    await erase('pieces-1', 3);
    expect(await isWhole('pieces-1', 'pieces')).toBe(false);
    expect(await listed('pieces-1')).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 200, thread: 'pieces' });
    await erase('pieces', 3);
    expect(await read(id)).toMatchObject({ status: 200, thread: 'pieces-2' });
    expect(await isWhole('pieces-2', 'pieces')).toBe(true);
    expect(await isWhole('pieces')).toBe(false);
    // The thread whose folder has the bytes goes entirely, and they stay.
    await erase('pieces');
    await sweepNow(stack);
    expect(await isWhole('pieces-2', 'pieces')).toBe(true);
    await erase('pieces-2', 3);
    expect(await read(id)).toMatchObject({ status: 410, state: 'expired' });
    const [left] = await rowsOf(stack.databaseUrl, 'SELECT sha256, tool FROM outputs WHERE id = $1', [id]);
    expect(left).toEqual({ sha256: '', tool: null });
  });

  test('of all at once: nothing is left, whoever was first', async () => {
    await sweepNow(stack);
    const before = await storedFiles();
    for (const round of [1, 2, 3]) {
      const root = `family-${round}`;
      await offload(root);
      await api.append(root, ...run('c2', log('second')));
      const forks = Array.from({ length: 4 }, (_, i) => `${root}-${i}`);
      for (const [i, id] of forks.entries()) await fork(i < 2 ? root : forks[i - 2]!, id);
      // Some own one output and share the other.
      await erase(root, 3);
      await Promise.all([root, ...forks].map((thread) => erase(thread)));
    }
    const left = await rowsOf(
      stack.databaseUrl,
      `SELECT o.id FROM outputs o JOIN threads t ON t.uid = o.thread_uid
       WHERE t.id LIKE 'family-%' AND (o.state NOT IN ('deleting', 'deleted') OR o.sha256 <> '')`,
    );
    expect(left).toEqual([]);
    const uses = await rowsOf(
      stack.databaseUrl,
      `SELECT FROM output_uses u JOIN threads t ON t.uid = u.thread_uid WHERE t.id LIKE 'family-%'`,
    );
    expect(uses).toEqual([]);
    await sweepNow(stack);
    expect(await storedFiles()).toBe(before);
  });

  test('while it is forked: the fork has the output, or there is no fork', async () => {
    for (let round = 0; round < 12; round++) {
      const [thread, id] = [`raced-${round}`, `raced-${round}-fork`];
      await offload(thread);
      const isMessage = round % 2 === 0;
      const forking = api.call<{ code?: string }>('POST', `/v1/threads/${thread}/fork`, { id });
      const erasing = erase(thread, isMessage ? 3 : undefined);
      const [{ status }] = await Promise.all([forking, erasing]);
      if (status === 404) continue;
      expect(status).toBe(201);
      const [, , message] = await api.originals(id);
      if (JSON.stringify(message).includes('erased')) continue;
      expect(await isWhole(id, thread), thread).toBe(true);
    }
  });
});

test('an output expires in both threads at once', async () => {
  const id = await offload('expiring');
  await fork('expiring', 'expiring-fork');
  await rowsOf(stack.databaseUrl, `UPDATE outputs SET expires_at = now() - interval '1 h' WHERE id = $1`, [
    id,
  ]);
  await sweepNow(stack);
  expect(await read(id)).toMatchObject({ status: 410, state: 'expired' });
  for (const thread of ['expiring', 'expiring-fork'])
    expect(await listed(thread)).toMatchObject([{ id, state: 'expired' }]);
});

test('the byte budget counts an output that two threads share once', async () => {
  const other = apiOf({ url: stack.url, key: await stack.addProject('budget') });
  const content = log('needle');
  await other.call('PUT', '/v1/policy', { outputs: { max_bytes: Math.floor(content.length * 1.5) } });
  const offloaded = async (thread: string) =>
    (await other.append(thread, say('Run it.'), ...run('c1', content))).messages[2]!.output!.id;
  const state = async (id: string) =>
    (await other.call<Schemas['Output']>('GET', `/v1/outputs/${id}`)).body.state;
  const shared = await offloaded('budget');
  expect((await other.call('POST', '/v1/threads/budget/fork', { id: 'budget-fork' })).status).toBe(201);
  await sweepNow(stack);
  expect(await state(shared)).toBe('ready');
  // A second output does exceed the budget.
  const newer = await offloaded('over');
  await sweepNow(stack);
  expect([await state(shared), await state(newer)]).toEqual(['expired', 'ready']);
});

test('media are shared as well: each thread holds them, and the last one takes them along', async () => {
  const url = `data:image/png;base64,${randomBytes(9_000).toString('base64')}`;
  const shot = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
  await sweepNow(stack);
  const before = await storedFiles();
  const words = { type: 'text', text: 'again' };
  await api.append('seen', say('one'), shot, say('three'), { ...shot, content: [...shot.content, words] });
  await api.call('POST', '/v1/threads/seen/fork', { id: 'seen-fork', at: 2 });
  await api.call('POST', '/v1/threads/seen-fork/fork', { id: 'seen-nothing', at: 1 });
  const uses = () =>
    rowsOf<{ id: string }>(
      stack.databaseUrl,
      `SELECT t.id FROM media_uses u JOIN threads t ON t.uid = u.thread_uid WHERE t.id LIKE 'seen%' ORDER BY t.id`,
    );
  expect(await uses()).toEqual([{ id: 'seen' }, { id: 'seen-fork' }]);
  await erase('seen');
  const anHourOn = () =>
    rowsOf(stack.databaseUrl, `UPDATE media SET touched_at = touched_at - interval '2 h'`);
  await anHourOn();
  await sweepNow(stack);
  expect(await api.originals('seen-fork')).toEqual([say('one'), shot]);
  await erase('seen-fork');
  await anHourOn();
  await sweepNow(stack);
  expect(await storedFiles()).toBe(before);
});
