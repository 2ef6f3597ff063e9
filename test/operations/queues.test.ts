// @module-tag long
import { summaryFieldNames } from '@spillway/engine';
import { openHints, openQueues, type Hints } from '@spillway/jobs';
import {
  apiOf,
  queueKeysOf,
  rowsOf,
  startStack,
  startStubLlm,
  startTestRedis,
  until,
  type Api,
  type Stack,
  type StubLlm,
  type TestRedis,
} from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Queue = ReturnType<typeof openQueues>['queues'][number];
type Job = NonNullable<Awaited<ReturnType<Queue['getJob']>>>;

let redis: TestRedis;
let hints: Hints;
beforeAll(async () => {
  redis = await startTestRedis();
  hints = openHints(redis.url, (error) => expect.unreachable(error.message));
  await until('the queues are open', async () => (await hints.state()) === 'ok');
});
afterAll(async () => {
  await hints?.close();
  await redis?.stop();
});

const schedule = 'bull:spillway-sweep-outputs:repeat:sweep-outputs';

test('a job whose schedule changed is repeated as the catalogue says', async () => {
  expect(await hints.schedule()).toBe(true);
  const every = await redis.ask(`HGET ${schedule} every`);
  expect(every).toContain('60000');
  await redis.ask(`HSET ${schedule} every 3600000`);
  expect(await hints.schedule()).toBe(true);
  expect(await redis.ask(`HGET ${schedule} every`)).toBe(every);
});

test('a schedule that stands still ahead of the clock is begun anew, and one that a worker moves on is left alone', async () => {
  const everyMs = 500;
  const fast = openHints(redis.url, (error) => expect.unreachable(error.message), {
    'sweep-storage': everyMs,
  });
  await until('the queues are open', async () => (await fast.state()) === 'ok');
  const key = 'bull:spillway-sweep-storage:repeat';
  let next = Date.now() + 86_400_000;
  const isAhead = async () => {
    await sleep(everyMs / 2);
    // A worker looks more often than a schedule moves on.
    for (let look = 0; look < 2; look++) expect(await fast.schedule()).toBe(true);
    return (await redis.ask(`ZSCORE ${key} sweep-storage`)).includes(String(next));
  };
  await fast.schedule();
  for (let i = 0; i < 3; i++) {
    next += everyMs;
    await redis.ask(`ZADD ${key} ${next} sweep-storage`);
    expect(await isAhead()).toBe(true);
  }
  await until('it is begun anew', async () => !(await isAhead()), 15_000);
  const again = Number(/\d{13}/.exec(await redis.ask(`ZSCORE ${key} sweep-storage`)));
  expect(Math.abs(again - Date.now())).toBeLessThan(60_000);
  expect(await redis.ask('LLEN bull:spillway-sweep-storage:wait')).toMatch(/[1-9]/);
  await fast.close();
});

test('a backlog of jobs is not taken for keys that are left over, and keys that are left over are', async () => {
  // The first job of a queue makes keys that the queue has from then on.
  await hints.send('compact-thread', { projectId: '', threadId: '' }, 'first');
  const before = await queueKeysOf(redis);
  for (let i = 0; i < 50; i++)
    await hints.send('compact-thread', { projectId: '', threadId: '' }, `job-${i}`);
  expect(await queueKeysOf(redis)).toEqual({ ...before, waiting: before.waiting + 50 });
  for (let i = 0; i < 7; i++) await redis.ask(`HSET bull:spillway-compact-thread:old-${i} data 1`);
  expect((await queueKeysOf(redis)).unexplained).toBe(before.unexplained + 7);
});

test('of several that ask for work within its time one is the first, and without Redis each is', async () => {
  const asked = await Promise.all(Array.from({ length: 5 }, () => hints.isFirst('look', 60_000)));
  expect(asked.filter(Boolean)).toEqual([true]);
  expect(await hints.isFirst('other-look', 100)).toBe(true);
  await until('its time is over', () => hints.isFirst('other-look', 100));
  const nowhere = openHints('redis://127.0.0.1:1', () => undefined);
  expect(await nowhere.isFirst('look', 60_000)).toBe(true);
  expect(await nowhere.isFirst('look', 60_000)).toBe(true);
  await nowhere.close();
});

describe('of a whole installation', () => {
  const password = 'correct-horse-battery-staple-0123456789';
  let llm: StubLlm;
  let stack: Stack;
  let api: Api;
  let board: ReturnType<typeof openQueues>;
  let jobs: Queue;
  beforeAll(async () => {
    llm = await startStubLlm();
    stack = await startStack({
      env: { ...llm.env, SPILLWAY_POLL_MS: '60000', SPILLWAY_OPERATOR_PASSWORD: password },
    });
    api = apiOf(stack);
    board = openQueues(stack.redis!.url, (error) => expect.unreachable(error.message));
    jobs = board.queues.find((queue) => queue.name === 'spillway-compact-thread')!;
  });
  afterAll(async () => {
    await board?.close();
    await stack?.stop();
    await llm?.stop();
  });

  const policy = {
    context: { context_window: 4_000, response_reserve: 400, min_reclaim_ratio: 0 },
    summary: { max_tokens: 400 },
  };
  const talk = Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `step ${i} `.repeat(50),
  }));
  /** Not one that found its work done: the reconciler may hint a thread while its job runs. */
  const jobOf = async (threadId: string, state: 'completed' | 'failed'): Promise<Job | undefined> =>
    (await jobs.getJobs([state])).find(
      ({ data, returnvalue }) =>
        (data as { threadId: string }).threadId === threadId &&
        (returnvalue as { outcome: string } | null)?.outcome !== 'skipped',
    );
  /**
   * A job that folded a new thread, or tried to. A worker folds without a job while Redis is too slow for it, as it is
   * on a busy machine; then the next thread may have one.
   */
  async function jobOfNewThread(name: string, state: 'completed' | 'failed') {
    for (let number = 1; number <= 5; number++) {
      const id = `${name}-${number}`;
      await api.createThread({ id, policy });
      await api.append(id, ...talk);
      await until(`an attempt at ${id} is over`, async () =>
        (await api.compactions(id)).some(({ outcome }) => outcome !== null),
      );
      // The attempt is over before its job is.
      const job = await until(`a job of ${id} has ${state}`, () => jobOf(id, state), 5_000).catch(() => null);
      if (job) return { id, job };
      console.log(`${id} was folded without a job`);
    }
    return expect.unreachable('no thread was folded by a job');
  }

  test('a job names its project and thread, says how far it is, and what came of it', async () => {
    llm.answer = () => ({
      content: Object.fromEntries(summaryFieldNames.map((name) => [name, 'All is well.'])),
    });
    const { id, job } = await jobOfNewThread('folds', 'completed');
    const [project] = await rowsOf<{ id: string }>(stack.databaseUrl, 'SELECT id FROM projects');
    expect(job.data).toEqual({ projectId: project!.id, threadId: id });
    const named = { project_id: project!.id, thread_id: id };
    expect(job.progress).toMatchObject({ ...named, step: 'summarizing', attempt: 1, from_seq: 1 });
    const [summary] = await api.summaries(id);
    expect(job.returnvalue).toMatchObject({
      ...named,
      outcome: 'done',
      generation: 1,
      to_seq: summary!.to_seq,
      method: 'llm',
      ms: expect.any(Number) as number,
      tokens_before: expect.any(Number) as number,
    });
    const { tokens_before: before, tokens_after: after } = job.returnvalue as Record<string, number>;
    expect(after).toBeLessThan(before!);
  });

  let refused: string;
  test('a job whose attempt failed has failed, with the reason and what happens next', async () => {
    llm.answer = () => ({ status: 401 });
    const { id, job } = await jobOfNewThread('refused', 'failed');
    expect(job.failedReason).toMatch(/^auth, parked; project_id \S+; thread_id refused-\d$/);
    expect((await api.thread(id)).compaction).toMatchObject({ state: 'parked', reason: 'auth' });
    refused = id;
  });

  test('an erased thread leaves no job that names it', async () => {
    await api.call('DELETE', `/v1/threads/${refused}`);
    await until('its jobs are gone', async () =>
      (await jobs.getJobs()).every((job) => !JSON.stringify(job).includes('refused')),
    );
    expect((await jobs.getJobs()).length).toBeGreaterThan(0);
  });

  test('the board of the queues opens with the operator’s password alone, and changes nothing', async () => {
    const get = (path: string, secret?: string, method = 'GET') =>
      fetch(`${stack.url}${path}`, {
        method,
        headers: secret ? { authorization: `Basic ${Buffer.from(`me:${secret}`).toString('base64')}` } : {},
      });
    for (const secret of [undefined, stack.key, `${password}x`]) {
      const refused = await get('/queues', secret);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Basic/) as string,
      ]);
      expect((await get('/queues/api/queues', secret)).status).toBe(401);
    }
    const page = await get('/queues', password);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Spillway queues') as string,
    ]);
    const { queues } = (await (await get('/queues/api/queues', password)).json()) as {
      queues: { name: string; readOnlyMode: boolean; counts: Record<string, number> }[];
    };
    expect(queues.map((queue) => queue.readOnlyMode)).toEqual([true, true, true]);
    expect(queues.find((queue) => queue.name === jobs.name)!.counts.completed).toBeGreaterThan(0);
    expect((await get(`/queues/api/queues/${jobs.name}/pause`, password, 'PUT')).status).toBe(405);
    expect(await jobs.isPaused()).toBe(false);
  });
});

test('without an operator’s password there is no board', async () => {
  const stack = await startStack({ workers: 0, redis: false });
  expect((await fetch(`${stack.url}/queues`)).status).toBe(404);
  await stack.stop();
});
