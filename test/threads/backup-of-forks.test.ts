// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, sweepNow, until, type Api, type Stack } from '@spillway/testing';
import { mkdir } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOf, toolResult } from '../tool-calls.js';
import { filesIn } from '../uploads/upload-client.js';
import { image, log, parsed, rewritten, type Line } from './backup-lines.js';

let stack: Stack;
let from: Api;
/** Backups of a thread, and of a fork of it that has an output of its own. */
let parent: string;
let fork: string;
/** Ids of the outputs: two of the parent, one more of the fork. */
let ids: string[];

const run = (id: string, lines: number) => [
  { role: 'assistant', content: null, tool_calls: [callOf(id)] },
  toolResult(id, log(lines)),
];

async function makeFork(api: Api, of: string, id: string): Promise<void> {
  const made = await api.call('POST', `/v1/threads/${of}/fork`, { id });
  expect(made.status).toBe(201);
}

async function makeFamily(api: Api): Promise<void> {
  await api.append(
    'parent',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] },
    ...run('c1', 3_000),
    ...run('c2', 4_000),
  );
  await makeFork(api, 'parent', 'fork');
  await api.append('fork', ...run('c3', 5_000));
}

const project = async (name: string): Promise<Api> =>
  apiOf({ url: stack.url, key: await stack.addProject(name) });
const backupOf = async (api: Api, id: string): Promise<string> => {
  const { status, body } = await api.call<string>('GET', `/v1/threads/${id}/backup`);
  expect(status).toBe(200);
  return body;
};
const restore = (api: Api, id: string, body: string) =>
  api.call<Schemas['ThreadRestored'] & { code: string }>('PUT', `/v1/threads/${id}/backup`, body);
const outputsOf = async (api: Api, thread: string) =>
  (await api.call<Schemas['OutputList']>('GET', `/v1/threads/${thread}/outputs`)).body.data;
const textsOf = async (api: Api, thread: string): Promise<string[]> => {
  const texts = (await outputsOf(api, thread)).map(async ({ id }) => {
    const { status, body } = await api.call<string>('GET', `/v1/outputs/${id}/content`);
    return `${id} ${status} ${body}`;
  });
  return (await Promise.all(texts)).sort();
};
const erase = async (api: Api, thread: string): Promise<void> => {
  expect((await api.call('DELETE', `/v1/threads/${thread}`)).status).toBe(204);
};
const files = () => filesIn(stack.outputsFolder).sort();

/** A thread has these outputs with all their bytes, and the context and messages that it had. */
async function isWhole(api: Api, thread: 'parent' | 'fork', under: string = thread): Promise<void> {
  const own = thread === 'fork' ? ids : ids.slice(0, 2);
  expect((await outputsOf(api, under)).map(({ id, state }) => [id, state]).sort()).toEqual(
    own.map((id) => [id, 'ready']).sort(),
  );
  for (const [i, id] of own.entries()) {
    const { status, body } = await api.call<string>('GET', `/v1/outputs/${id}/content`);
    expect([status, body]).toEqual([200, log([3_000, 4_000, 5_000][i]!)]);
  }
  expect(await api.originals(under)).toEqual(await from.originals(thread));
  expect((await api.context(under)).messages).toEqual((await from.context(thread)).messages);
}

beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  await mkdir(stack.outputsFolder, { recursive: true });
  from = apiOf(stack);
  await makeFamily(from);
  parent = await backupOf(from, 'parent');
  fork = await backupOf(from, 'fork');
  ids = (await outputsOf(from, 'fork')).sort((a, b) => a.seq! - b.seq!).map(({ id }) => id);
  expect(ids).toHaveLength(3);
});
afterAll(() => stack?.stop());

describe('the fork alone', () => {
  test('has the outputs that it shared, and the same context', async () => {
    const api = await project('alone');
    expect(await restore(api, 'fork', fork)).toMatchObject({
      status: 201,
      body: { outputs: 3, missing_outputs: 0, media: 1, missing_media: 0, same_context: true },
    });
    await isWhole(api, 'fork');
    expect(await api.thread('fork')).toMatchObject({ output_count: 3, forked_from: { thread: 'parent' } });
    const { body } = await api.call<string>('GET', '/v1/threads/fork/export');
    expect(JSON.stringify(body)).toContain('step 4999 ok');
  });

  test('tells of itself as a restored thread does, and of no fork', async () => {
    const api = await project('told');
    // A thread that has the id of the parent, and is another one.
    await api.createThread({ id: 'parent' });
    await restore(api, 'fork', fork);
    const events = await api.call<{ data: { type: string }[] }>('GET', '/v1/threads/fork/events');
    expect(events.body.data.map(({ type }) => type)).toEqual(['message.recorded']);
    const audit = await api.call<{ data: { action: string }[] }>('GET', '/v1/audit');
    expect(audit.body.data.map(({ action }) => action).filter((action) => /^thread/.test(action))).toEqual([
      'thread.restored',
    ]);
  });

  test('is whole when its parent was erased before the backup', async () => {
    const source = await project('erased-before');
    await makeFamily(source);
    await makeFork(source, 'fork', 'fork-of-fork');
    await erase(source, 'parent');
    await sweepNow(stack);
    const bodies = [await backupOf(source, 'fork'), await backupOf(source, 'fork-of-fork')] as const;
    const api = await project('erased-restored');
    expect(await restore(api, 'fork-of-fork', bodies[1])).toMatchObject({
      status: 201,
      body: { outputs: 3 },
    });
    expect(await restore(api, 'fork', bodies[0])).toMatchObject({ status: 201, body: { outputs: 3 } });
    expect(await textsOf(api, 'fork')).toEqual(await textsOf(source, 'fork'));
    expect(await textsOf(api, 'fork')).toHaveLength(3);
    expect((await api.context('fork')).messages).toEqual((await source.context('fork')).messages);
  });
});

describe.each([
  ['the parent first', ['parent', 'fork'] as const],
  ['the fork first', ['fork', 'parent'] as const],
])('parent and fork in one project, %s', (_what, order) => {
  const bodies = () => ({ parent, fork });
  const both = async (): Promise<Api> => {
    const api = await project(`both-${order[0]}-${Math.random()}`);
    for (const id of order)
      expect(await restore(api, id, bodies()[id])).toMatchObject({
        status: 201,
        body: { outputs: id === 'fork' ? 3 : 2, missing_outputs: 0, same_context: true },
      });
    return api;
  };

  test.each([
    ['bytes are stored once, and stay until the fork is erased after its parent', 'parent' as const],
    ['bytes are stored once, and stay until the parent is erased after its fork', 'fork' as const],
  ])('%s', async (_name, first) => {
    const before = files();
    const api = await both();
    await isWhole(api, 'parent');
    await isWhole(api, 'fork');
    // Three texts and the image.
    expect(files()).toHaveLength(before.length + 4);
    const second = first === 'parent' ? 'fork' : 'parent';
    await erase(api, first);
    await sweepNow(stack);
    await sweepNow(stack);
    await isWhole(api, second);
    await erase(api, second);
    await rowsOf(stack.databaseUrl, `UPDATE media SET touched_at = touched_at - interval '2 h'`);
    await sweepNow(stack);
    expect(files()).toEqual(before);
    for (const id of ids) expect((await api.call('GET', `/v1/outputs/${id}/content`)).status).toBe(410);
  });

  test('a fork of them shares once more, and their backups are what was restored', async () => {
    const api = await both();
    await makeFork(api, 'fork', 'another');
    const rows = (text: string) =>
      parsed(text).flatMap(({ table, row }) => {
        if (table !== 'outputs') return [];
        const { id, sha256, seq, shared } = row as Record<string, unknown>;
        return [{ id, sha256, seq, shared }];
      });
    expect(rows(await backupOf(api, 'parent'))).toEqual(rows(parent));
    expect(rows(await backupOf(api, 'another')).map(({ shared }) => shared)).toEqual([true, true, true]);
  });
});

test('parent and fork that are restored at once are both there, and their bytes once', async () => {
  for (let round = 0; round < 6; round++) {
    const before = files();
    const api = await project(`at-once-${round}`);
    const answers = await Promise.all([restore(api, 'fork', fork), restore(api, 'parent', parent)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    await isWhole(api, 'parent');
    await isWhole(api, 'fork');
    expect(files()).toHaveLength(before.length + 4);
  }
});

describe('a fork that is restored while its parent is erased has the outputs', () => {
  /** The first waits in the middle of a statement until the second waits for it, or has ended. */
  const whileWaiting = async (on: string, first: () => Promise<unknown>, second: () => Promise<unknown>) => {
    const run = (text: string) => rowsOf(stack.databaseUrl, text);
    const waits = (event: string) =>
      until(`something waits: ${event}`, async () => {
        const text = 'SELECT FROM pg_stat_activity WHERE wait_event = $1 AND datname = current_database()';
        return (await rowsOf(stack.databaseUrl, text, [event])).length > 0;
      });
    await run(`CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(99); RETURN NEW; END $$`);
    await run(`CREATE TRIGGER wait BEFORE ${on} FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
    const blocker = new pg.Client(stack.databaseUrl);
    await blocker.connect();
    try {
      await blocker.query('SELECT pg_advisory_lock(99)');
      const running = first();
      await waits('advisory');
      const late = second();
      // Either waits for the row of the parent.
      await Promise.race([waits('transactionid'), late]);
      await blocker.query('SELECT pg_advisory_unlock(99)');
      await Promise.all([running, late]);
    } finally {
      await blocker.end();
      await run('DROP FUNCTION wait_for_test() CASCADE');
    }
  };
  const restoreFork = async (api: Api) => {
    expect(await restore(api, 'fork', fork)).toMatchObject({ status: 201, body: { same_context: true } });
  };

  test('the erasure comes second', async () => {
    const api = await project('raced-second');
    await restore(api, 'parent', parent);
    await whileWaiting(
      'INSERT ON output_uses',
      () => restoreFork(api),
      () => erase(api, 'parent'),
    );
    await sweepNow(stack);
    await isWhole(api, 'fork');
  });

  test('the erasure comes first, and gives them to another fork', async () => {
    const api = await project('raced-first');
    await restore(api, 'parent', parent);
    await makeFork(api, 'parent', 'heir');
    await whileWaiting(
      'UPDATE OF deleted_at ON threads',
      () => erase(api, 'parent'),
      () => restoreFork(api),
    );
    await sweepNow(stack);
    await isWhole(api, 'fork');
    await isWhole(api, 'parent', 'heir');
  });
});

describe('outputs of others stay out of reach', () => {
  let api: Api;
  beforeAll(async () => {
    api = await project('reach');
    await restore(api, 'parent', parent);
    await restore(api, 'fork', fork);
  });
  const state = async () => ({
    files: files(),
    uses: (await rowsOf(stack.databaseUrl, 'SELECT FROM output_uses')).length,
  });
  const isRefused = async (body: string, to = api, under = 'copy') => {
    const before = await state();
    expect(await restore(to, under, body)).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
    expect((await to.call('GET', `/v1/threads/${under}`)).status).toBe(404);
    expect(await state()).toEqual(before);
  };
  const withOutputs = (backup: string, change: (row: Record<string, unknown>) => object): string =>
    rewritten(
      parsed(backup)
        .slice(0, -1)
        .map((line): Line => {
          if (line.table !== 'outputs') return line;
          return { ...line, row: change(line.row as Record<string, unknown>) };
        }),
    );

  test('the same backup under another id', async () => {
    await isRefused(fork);
    await isRefused(parent);
    expect(await restore(api, 'fork', fork)).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
  });

  test('an output that its backup does not mark as shared', async () => {
    const unmarked = ({ shared: _mark, ...row }: Record<string, unknown>) => row;
    const other = await project('unmarked');
    expect((await restore(other, 'fork', withOutputs(fork, unmarked))).status).toBe(201);
    await isRefused(withOutputs(parent, unmarked), other, 'parent');
  });

  // A row that is not ready comes without bytes: its columns are all that a forger has to write.
  test.each([
    ['an output that is marked as shared and has another digest', { sha256: '0'.repeat(64) }, 409],
    ['an output that is marked as shared and has another size', { bytes: 7 }, 409],
    ['an output that is marked as shared and has another seq', { seq: 1 }, 409],
    ['but not one that is equal', {}, 201],
  ])('%s', async (what, other, status) => {
    const forged = await project(`forged: ${what}`);
    await restore(forged, 'parent', parent);
    const withoutBytes = withOutputs(fork, (row) => ({ ...row, state: 'deleted', ...other }));
    const lines = parsed(withoutBytes).filter(({ type }) => type !== 'bytes' && type !== 'end');
    expect((await restore(forged, 'fork', rewritten(lines))).status).toBe(status);
    expect((await forged.call('GET', '/v1/threads/fork')).status).toBe(status === 201 ? 200 : 404);
    await isWhole(forged, 'parent');
  });
});
