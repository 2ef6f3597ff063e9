// @module-tag long
import type { Schemas } from '@spillway/client';
import {
  apiOf,
  rowsOf,
  startProxy,
  startStack,
  untilQuiet,
  type AppProcess,
  type Stack,
} from '@spillway/testing';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { EditingClient } from './editing-client.js';
import { untilLocked } from '../until-locked.js';
import { compacted, expectSound, isFull, longTest, talk } from './fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

type Rewound = Schemas['ThreadRewound'];
const say = (id: string) => ({ role: 'user', content: id, id });

test.each([
  [
    'F51 an API killed between COMMIT and the answer of a rewind: the retry is told what was done',
    'rewind.committed',
  ],
  [
    'F52 an API killed before COMMIT of a rewind: nothing is rewound, and the retry does it',
    'rewind.before_commit',
  ],
])('%s', async (_name, point) => {
  stack = await startStack({ workers: 0, redis: false });
  const api = apiOf(stack);
  await api.append('t', ...['one', 'two', 'three', 'four'].map(say));
  const doomed = await stack.startApi({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: point });
  const rewind = (url: string) =>
    apiOf({ url, key: stack.key }).call<Rewound>(
      'POST',
      '/v1/threads/t/rewind',
      { to_seq: 2 },
      {
        'idempotency-key': 'once',
        'if-match': '4',
      },
    );
  await expect(rewind(doomed.url)).rejects.toThrow();
  expect((await doomed.exited).signal).toBe('SIGKILL');
  const isDone = point === 'rewind.committed';
  expect((await api.context('t')).messages).toHaveLength(isDone ? 2 : 4);
  // A retry comes late: by then the thread may have grown, which must not be rewound.
  if (isDone) await api.append('t', say('five'));
  const retried = await rewind(stack.url);
  expect(retried).toMatchObject({ status: 200, body: { messages: 2 } });
  expect(retried.headers.get('idempotent-replayed')).toBe(isDone ? 'true' : null);
  if (!isDone) await api.append('t', say('five'));
  const shown = (await api.context('t')).messages.map(({ content }) => content);
  expect(shown).toEqual(['one', 'two', 'Noted.', 'five']);
  expect((await api.originals('t')).map(({ content }) => content)).toEqual([
    'one',
    'two',
    'three',
    'four',
    'five',
  ]);
  await expectSound(stack);
});

/** Seqs in the archived files of all threads. */
async function archivedSeqs(): Promise<number[]> {
  const found = await readdir(stack.outputsFolder, { recursive: true });
  const files = found.filter((file) => /\/context\/.*\.jsonl$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(stack.outputsFolder, file), 'utf8')));
  const lines = texts.flatMap((text) => text.trim().split('\n'));
  return lines.map((line) => (JSON.parse(line) as { seq: number }).seq).sort((a, b) => a - b);
}

describe('an API killed before it removes what left the context from the archive', () => {
  const policy = { context: { context_window: 4_000, archive: true }, summary: { max_tokens: 400 } };
  const until = (seq: number) => Array.from({ length: seq }, (_, i) => i + 1);

  /** A thread of which messages 1 to 15 at least are archived, and an API that ends when it reaches a point. */
  async function archived(point: string) {
    stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_POLL_MS: '300' } });
    const api = apiOf(stack);
    await api.createThread({ id: 't', policy });
    await api.append('t', ...talk('t'));
    await (await folded(api, 1)).stop();
    const covered = (await api.summaries('t'))[0]!.to_seq;
    expect(covered).toBeGreaterThan(14);
    const doomed = await stack.startApi({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: point });
    const killed = async (method: string, path: string, ...of: [object?, Record<string, string>?]) => {
      await expect(apiOf({ url: doomed.url, key: stack.key }).call(method, path, ...of)).rejects.toThrow();
      expect((await doomed.exited).signal).toBe('SIGKILL');
      expect(await archivedSeqs()).toEqual(until(covered));
    };
    return { api, killed };
  }

  /** A worker that has made a generation. */
  async function folded(api: ReturnType<typeof apiOf>, generation: number): Promise<AppProcess> {
    const worker = await stack.startWorker();
    await compacted(api, 't', generation);
    return worker;
  }

  const nextFold = async (api: ReturnType<typeof apiOf>): Promise<number> => {
    await api.append('t', ...talk('more'));
    await folded(api, 2);
    return (await api.summaries('t')).find(({ active }) => active)!.to_seq;
  };

  test('F74 a rewind: the retry removes it', async () => {
    const { api, killed } = await archived('rewind.committed');
    const rewind = ['POST', '/v1/threads/t/rewind', { to_seq: 10 }, { 'idempotency-key': 'once' }] as const;
    await killed(...rewind);
    expect(await api.call(...rewind)).toMatchObject({ status: 200, body: { messages: 10 } });
    expect(await archivedSeqs()).toEqual([]);
  });

  test('F74 a rewind without a key: the retry removes it, though it rewinds nothing', async () => {
    const { api, killed } = await archived('rewind.committed');
    const rewind = ['POST', '/v1/threads/t/rewind', { to_seq: 10 }] as const;
    await killed(...rewind);
    expect(await api.call(...rewind)).toMatchObject({ status: 200, body: { messages: 0 } });
    expect(await archivedSeqs()).toEqual([]);
  });

  test('F74 a rewind that nobody tries again: the next fold writes the archive without it', async () => {
    const { api, killed } = await archived('rewind.committed');
    await killed('POST', '/v1/threads/t/rewind', { to_seq: 10 });
    const to = await nextFold(api);
    expect(to).toBeGreaterThan(20);
    expect(await archivedSeqs()).toEqual(until(to).filter((seq) => seq <= 10 || seq > 20));
  });

  test('F75 an erasure that nobody tries again: the next fold writes the archive without its text', async () => {
    const { api, killed } = await archived('erasure.committed');
    await killed('DELETE', '/v1/threads/t/messages/5');
    const to = await nextFold(api);
    expect(await archivedSeqs()).toEqual(until(to));
    const files = await readdir(stack.outputsFolder, { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.jsonl')))
      expect(await readFile(join(stack.outputsFolder, file), 'utf8')).not.toContain('t 4. All work');
  });
});

test('a retry that arrives as the rewind is done is told of the thread after it', async () => {
  stack = await startStack({ workers: 0, redis: false });
  const api = apiOf(stack);
  await api.append('t', ...['one', 'two', 'three', 'four'].map(say));
  const rewind = () =>
    api.call<Rewound>('POST', '/v1/threads/t/rewind', { to_seq: 2 }, { 'idempotency-key': 'once' });
  const holders = [new pg.Client(stack.databaseUrl), new pg.Client(stack.databaseUrl)] as const;
  const [row, keys] = holders;
  await Promise.all(holders.map((holder) => holder.connect()));
  try {
    // The first request waits to write, and the retry between its look at the thread and that at the keys.
    await row.query('BEGIN; SELECT FROM threads FOR UPDATE');
    const first = rewind();
    await untilLocked(stack.databaseUrl, 1);
    const locked = keys.query('BEGIN; LOCK TABLE rewinds; COMMIT');
    await untilLocked(stack.databaseUrl, 2);
    const retry = rewind();
    await untilLocked(stack.databaseUrl, 3);
    await row.query('COMMIT');
    await locked;
    expect((await first).body).toMatchObject({ messages: 2, thread: { last_seq: 2 } });
    expect((await retry).headers.get('idempotent-replayed')).toBe('true');
    expect((await retry).body).toMatchObject({ messages: 2, thread: { last_seq: 2 } });
  } finally {
    await Promise.all(holders.map((holder) => holder.end()));
  }
});

test('a rewind to the newest message keeps its key: a retry after an append takes nothing back', async () => {
  stack = await startStack({ workers: 0, redis: false });
  const api = apiOf(stack);
  await api.append('t', ...['one', 'two'].map(say));
  const rewind = (to_seq: number) =>
    api.call<Rewound>('POST', '/v1/threads/t/rewind', { to_seq }, { 'idempotency-key': 'once' });
  expect(await rewind(2)).toMatchObject({ status: 200, body: { messages: 0, thread: { last_seq: 2 } } });
  await api.append('t', say('three'));
  const retried = await rewind(2);
  expect(retried).toMatchObject({ status: 200, body: { messages: 0, thread: { last_seq: 3 } } });
  expect(retried.headers.get('idempotent-replayed')).toBe('true');
  expect((await rewind(1)).status).toBe(409);
  expect((await api.context('t')).messages.at(-1)).toMatchObject({ content: 'three' });
});

describe('clients that edit their history hold exactly the context, and a rewind is done once or not at all', () => {
  /** Breaks things for the clients until `isOver`. */
  type Break = (isOver: () => boolean, clients: readonly EditingClient[]) => Promise<void>;

  interface EditOptions {
    urls?: () => string[];
    seen?: (clients: readonly EditingClient[]) => boolean;
  }

  const repeatedly = async (
    isOver: () => boolean,
    ms: number,
    act: () => Promise<unknown>,
  ): Promise<void> => {
    while (!isOver()) {
      await act();
      await sleep(ms);
    }
  };

  /** Waits until each client has one more answer: on a busy machine a request takes longer than any fixed pause. */
  const answers = async (clients: readonly EditingClient[], isOver: () => boolean): Promise<void> => {
    const before = clients.map(({ answers }) => answers);
    while (!isOver() && clients.some(({ answers }, i) => answers === before[i])) await sleep(20);
  };

  const killOf = async (apps: readonly AppProcess[], i: number): Promise<void> => {
    const app = apps[i % apps.length]!;
    await app.kill();
    await stack.restart(app);
  };

  const start = (own: Parameters<typeof startStack>[0] = {}) =>
    startStack({ apis: 2, workers: 1, env: { SPILLWAY_POLL_MS: '300', SPILLWAY_LEASE_MS: '1500' }, ...own });

  /** Lets the clients edit until the time is over and all have done enough; `seen` is what the fault must have shown. */
  async function edit(
    breaks: Break,
    { urls = () => stack.apis.map(({ url }) => url), seen = () => true }: EditOptions = {},
  ): Promise<EditingClient[]> {
    const api = apiOf(stack);
    const clients = Array.from({ length: 4 }, (_, i) => {
      const folds = i % 2 === 1;
      return new EditingClient({ thread: `edited-${i}`, key: stack.key, urls, seed: i + 1, folds });
    });
    const folding = { context: { context_window: 6_000, trigger_ratio: 0.3 }, summary: { max_tokens: 300 } };
    for (const [i, { thread }] of clients.entries())
      await api.createThread({ id: thread, ...(i % 2 === 1 ? { policy: folding } : {}) });
    let isOver = false;
    const ends = performance.now() + (isFull ? 40_000 : 5_000);
    const isEnough = () =>
      performance.now() > ends &&
      seen(clients) &&
      clients.every(
        ({ rewinds, compared, summarized }, i) =>
          rewinds >= 3 && compared > 0 && (i % 2 === 0 || summarized > 0),
      );
    const working = Promise.all(
      clients.map(async (client) => {
        while (!isEnough()) await client.step();
      }),
    ).finally(() => (isOver = true));
    const watching = clients.map(async (client) => {
      for (; !isOver; await sleep(20)) await client.watch().catch(ignoreLost);
    });
    await Promise.all([working, breaks(() => isOver, clients), ...watching]);
    for (const client of clients) await client.check();
    const made = await rowsOf<{ thread: string; rewinds: number }>(
      stack.databaseUrl,
      `SELECT t.id AS thread, count(*)::int AS rewinds FROM rewinds r JOIN threads t ON t.uid = r.thread_uid
       GROUP BY t.id ORDER BY t.id`,
    );
    expect(made).toEqual(clients.map(({ thread, rewinds }) => ({ thread, rewinds })));
    await untilQuiet(stack.databaseUrl, 60_000);
    await expectSound(stack);
    return clients;
  }

  const failures = (clients: readonly EditingClient[]): number =>
    clients.reduce((sum, client) => sum + client.failures, 0);

  const replays = (clients: readonly EditingClient[]): number =>
    clients.reduce((sum, client) => sum + client.replays, 0);

  test('F53 APIs and the worker killed again and again', async () => {
    stack = await start();
    let i = 0;
    const clients = await edit((isOver) =>
      repeatedly(isOver, 300, () => killOf(i % 3 === 2 ? stack.workers : stack.apis, i++)),
    );
    expect(failures(clients)).toBeGreaterThan(0);
  });

  test('F54 Redis flushed again and again', async () => {
    stack = await start();
    await edit((isOver) => repeatedly(isOver, 50, () => stack.redis!.ask('FLUSHALL')));
  });

  test('F55 connections cut while answers are on their way', async () => {
    stack = await start();
    const proxies = await Promise.all(
      stack.apis.map(({ url }) => startProxy({ host: '127.0.0.1', port: Number(new URL(url).port) })),
    );
    try {
      const clients = await edit(
        (isOver, clients) =>
          repeatedly(isOver, 300, async () => {
            await answers(clients, isOver);
            for (const proxy of proxies) await proxy.set('lost-replies');
            await sleep(100);
            for (const proxy of proxies) {
              await proxy.set('pass');
              proxy.dropConnections();
            }
          }),
        {
          urls: () => proxies.map((proxy, i) => proxy.through(stack.apis[i]!.url).replace(/\/$/, '')),
          // Some answers were lost after the rewind was done. On a busy machine the first of them comes late.
          seen: (all) => replays(all) > 0,
        },
      );
      expect(failures(clients)).toBeGreaterThan(0);
      expect(replays(clients)).toBeGreaterThan(0);
    } finally {
      for (const proxy of proxies) await proxy.stop();
    }
  });

  longTest('F56 backends of Postgres killed again and again', async () => {
    stack = await start();
    const database = new URL(stack.databaseUrl).pathname.slice(1);
    const clients = await edit((isOver) =>
      repeatedly(isOver, 300, () =>
        rowsOf(
          process.env.SPILLWAY_TEST_POSTGRES!,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
          [database],
        ),
      ),
    );
    expect(failures(clients)).toBeGreaterThan(0);
  });
});

/** A watcher asks once: a request that a fault took is no finding. */
function ignoreLost(error: unknown): void {
  if (!(error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message))) throw error;
}
