// @module-tag long
import type { Schemas } from '@spillway/client';
import {
  apiOf,
  startStack,
  startStubLlm,
  until,
  untilQuiet,
  type Api,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compacted, dueThread, expectSound, isReady, llmEnv, outcomes, talk } from './fault-rig.js';

let stub: StubLlm;
let stack: Stack;
beforeEach(async () => {
  stub = await startStubLlm();
});
afterEach(async () => {
  await stack?.stop();
  await stub?.stop();
});

const called = (n: number) => until(`call ${n}`, () => Promise.resolve(stub.calls.length >= n));
const kept = 4;

/** Takes back most of what the fold in progress covers. */
async function rewind(api: Api, id: string): Promise<void> {
  const { status, body } = await api.call('POST', `/v1/threads/${id}/rewind`, { to_seq: kept });
  expect(body).toMatchObject({ messages: 20 - kept, thread: { last_seq: kept } });
  expect(status).toBe(200);
}

/** The thread goes on and is folded: nothing of what was taken back is in a summary, a context or a later prompt. */
async function expectForgotten(api: Api, id: string): Promise<void> {
  await untilQuiet(stack.databaseUrl, 30_000);
  expect((await api.thread(id)).compaction).toMatchObject({ generation: 0, covered_through: 0 });
  expect(await api.summaries(id)).toEqual([]);
  const before = stub.calls.length;
  await api.append(id, ...talk('later'));
  await compacted(api, id);
  const [summary, ...others] = await api.summaries(id);
  expect(others).toEqual([]);
  expect(summary).toMatchObject({ generation: 1, from_seq: 1, state: 'active' });
  const rewound = new RegExp(`${id} ([${kept}-9]|1\\d)\\.`);
  expect(JSON.stringify((await api.context(id)).messages)).not.toMatch(rewound);
  expect(stub.calls.length).toBeGreaterThan(before);
  for (const { prompt } of stub.calls.slice(before)) expect(prompt).not.toMatch(rewound);
  expect(stub.calls[0]!.prompt).toMatch(rewound);
  expect(await api.originals(id)).toHaveLength(40);
  expect((await outcomes(stack, id)).filter((outcome) => outcome === 'compacted')).toHaveLength(1);
  await expectSound(stack);
}

test('F57 a rewind while the model works: the summary of what it took back is never in place', async () => {
  stack = await startStack({ env: llmEnv(stub) });
  const api = apiOf(stack);
  let release = (): void => undefined;
  const answered = new Promise<void>((resolve) => (release = resolve));
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), ...(stub.calls.length === 1 ? { after: answered } : {}) });
  await dueThread(api, 'raced');
  await called(1);
  await rewind(api, 'raced');
  release();
  await expectForgotten(api, 'raced');
});

test('F57 a worker killed with the answer of the model, and a rewind before the next worker', async () => {
  stack = await startStack({ workers: 0, env: llmEnv(stub) });
  const api = apiOf(stack);
  const doomed = await stack.startWorker({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: 'compaction.called' });
  await dueThread(api, 'killed');
  expect((await doomed.exited).signal).toBe('SIGKILL');
  await rewind(api, 'killed');
  await stack.startWorker();
  await expectForgotten(api, 'killed');
});

test('F57 a worker suspended with the answer of the model wakes up after a rewind', async () => {
  stack = await startStack({ env: llmEnv(stub) });
  const api = apiOf(stack);
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), delayMs: stub.calls.length === 1 ? 500 : 0 });
  await dueThread(api, 'asleep');
  await called(1);
  stack.workers[0]!.pause();
  // The answer reaches the suspended worker, whose lease runs out.
  await sleep(2_500);
  await rewind(api, 'asleep');
  stack.workers[0]!.resume();
  await until('it gives up', async () => !(await outcomes(stack, 'asleep')).includes(null));
  await expectForgotten(api, 'asleep');
});

test('F58 Postgres stopped at once while a fold commits, between two answers to since: the client holds the context', async () => {
  stack = await startStack({ redis: false, ownPostgres: true, durable: true, env: llmEnv(stub) });
  const api = apiOf(stack);
  const plain = stub.answer;
  type Context = Schemas['Context'];
  let held = { fingerprint: '0'.repeat(64), messages: [] as Context['messages'] };
  const reasons: (string | undefined)[] = [];
  const read = (query: string): Promise<Context> =>
    until('a context', async () => {
      const answer = await api.call<Context>('GET', `/v1/threads/held/context${query}`);
      if (answer.status !== 200) expect(answer.status).toBe(503);
      return answer.status === 200 && answer.body;
    });
  /** What it holds is the whole context, also when a fold commits between the two reads. */
  const follow = (): Promise<true> =>
    until('two reads of one context', async () => {
      const { append, replay, fingerprint, reason } = await read(`?since=${held.fingerprint}`);
      held = { fingerprint, messages: append ? [...held.messages, ...append] : replay! };
      if (replay) reasons.push(reason);
      const whole = await read('');
      if (whole.fingerprint !== fingerprint) return false;
      expect(held.messages).toEqual(whole.messages);
      return true as const;
    });

  await dueThread(api, 'held');
  await compacted(api, 'held');
  await follow();
  for (const [round, delayMs] of [0, 10, 40].entries()) {
    // The server stops when the model has answered: before, in or after the commit.
    const calls = stub.calls.length;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    stub.answer = (call) => ({ ...plain(call), after: answered });
    const { generation } = (await api.thread('held')).compaction;
    await api.append('held', ...talk(`round-${round}`));
    await follow();
    await called(calls + 1);
    answer();
    await sleep(delayMs);
    await stack.postgres!.down('immediate');
    expect((await api.call('GET', `/v1/threads/held/context?since=${held.fingerprint}`)).status).toBe(503);
    await stack.postgres!.start();
    stub.answer = plain;
    await isReady(stack.api);
    await follow();
    await compacted(api, 'held', generation + 1);
    await follow();
    expect(held.messages.length).toBe((await api.context('held')).messages.length);
  }
  expect(reasons.slice(1)).toContain('folded');
  expect(await api.originals('held')).toHaveLength(80);
  await expectSound(stack);
});
