import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import {
  llmFailures,
  redirectTo,
  until,
  untilQuiet,
  type Api,
  type LlmFailure,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import { describe, expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';
import { compacted, expectSound, isFull, quickTimes, outcomes, policy, talk } from './fault-rig.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel(
  {
    env: { ...quickTimes, SPILLWAY_LEASE_MS: '10000', SPILLWAY_TIME_DIVISOR: '4' },
    memory: 'production',
  },
  (on) => ({ stub, stack, api } = on),
);

/** How much memory the worker holds, in bytes. */
const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.workers[0]!.pid}/status`, 'utf8'))![1]) * 1024;

async function due(id: string, summary: object = {}): Promise<void> {
  await api.createThread({ id, policy: { ...policy, summary } });
  await api.append(id, ...talk(id));
}
async function fits(id: string): Promise<void> {
  const context = await api.context(id);
  expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
}
const called = (n: number) => until(`call ${n}`, () => Promise.resolve(stub.calls.length >= n));

test('F24 a provider that says when to come again is left alone until then, and no attempt is used up', async () => {
  stub.answer = (call) =>
    stub.calls.length === 1 ? { status: 429, headers: { 'retry-after': '3' } } : stub.plain(call);
  await due('again');
  await compacted(api, 'again');
  expect(stub.calls[1]!.at - stub.calls[0]!.at).toBeGreaterThanOrEqual(2_990);
  expect(await outcomes(stack, 'again')).toEqual(['failed', 'compacted']);
});

test('F26 two errors, then an answer: one summary', async () => {
  stub.answer = (call) => (stub.calls.length <= 2 ? { status: 500 } : stub.plain(call));
  await due('third-time');
  await compacted(api, 'third-time');
  expect(await api.summaries('third-time')).toHaveLength(1);
  expect((await outcomes(stack, 'third-time')).slice(-1)).toEqual(['compacted']);
});

describe('F27 F31 an answer that does not come, or never ends, is given up; the next one is taken', () => {
  const short: LlmFailure[] = ['hang before headers', 'gzip bomb'];
  const long: LlmFailure[] = [
    '100 MB body',
    'connection reset',
    'hang mid-body',
    'drip of 1 B/s',
    'endless body',
    'no body',
    'connection reset mid-body',
    'truncated JSON',
  ];
  test.each(isFull ? [...short, ...long] : short)('%s', async (failure) => {
    const before = memory();
    const id = failure.replace(/\W/g, '-');
    stub.answer = (call) => (stub.calls.length === 1 ? llmFailures[failure](call) : stub.plain(call));
    await due(id, { timeout_ms: 3_000 });
    await called(1);
    await fits(id);
    await compacted(api, id);
    expect((await outcomes(stack, id))[0]).toBe('failed');
    expect(memory() - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('F28 F29 answers that can never be used are asked for differently each time, then code stands in', () => {
  const failures: LlmFailure[] = ['wrong schema'];
  const more: LlmFailure[] = ['cut off by length', 'not JSON', 'empty content', 'empty fields'];
  test.each(isFull ? [...failures, ...more] : failures)('%s', async (failure) => {
    const id = failure.replace(/\W/g, '-');
    stub.answer = llmFailures[failure];
    await due(id);
    await compacted(api, id);
    // Back-off between attempts is the thread's own; what is sent differs each time.
    const asked = stub.calls.map((call) =>
      JSON.stringify([call.body.messages, call.body.max_tokens, call.body.response_format]),
    );
    expect(asked.length).toBeLessThanOrEqual(8);
    const attempts = await outcomes(stack, id);
    expect(attempts.length).toBeLessThanOrEqual(5);
    expect(new Set(asked.map((body) => body.replace(/=== transcript [0-9a-f-]+ ===/g, ''))).size).toBe(
      asked.length,
    );
    expect((await api.summaries(id))[0]).toMatchObject({ method: 'extractive' });
    await fits(id);
  });

  test.each<LlmFailure>(['extra keys', 'NUL in a field', 'lone surrogate in a field', 'injected text'])(
    '%s: taken as text, and nothing else',
    async (failure) => {
      const id = failure.replace(/\W/g, '-');
      stub.answer = llmFailures[failure];
      await due(id);
      await compacted(api, id);
      const [summary] = await api.summaries(id);
      expect(summary).toMatchObject({ method: 'llm' });
      expect(Object.keys(summary!.fields).toSorted()).toEqual([
        'context_to_preserve',
        'current_state',
        'important_discoveries',
        'next_steps',
        'task_overview',
      ]);
      expect(summary!.text).not.toMatch(/\0|polluted/);
      expect(summary!.text.isWellFormed()).toBe(true);
      const [block] = (await api.context(id)).messages as { role: string }[];
      expect(block!.role).toBe('user');
    },
  );
});

test('F30 a model that refuses is asked once more; then code makes the summary', async () => {
  stub.answer = llmFailures.refusal;
  await due('refused');
  await compacted(api, 'refused');
  expect(stub.calls).toHaveLength(2);
  expect((await api.summaries('refused'))[0]).toMatchObject({ method: 'extractive' });
});

test('F32 a redirect is not followed', async () => {
  let hits = 0;
  const canary = createServer((_request, response) => {
    hits++;
    response.end();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const { port } = canary.address() as AddressInfo;
  stub.answer = (call) =>
    stub.calls.length === 1 ? redirectTo(`http://127.0.0.1:${port}/`) : stub.plain(call);
  await due('redirected');
  await compacted(api, 'redirected');
  canary.close();
  expect(hits).toBe(0);
});

test('F34 a summary longer than what it stands for is refused; a tail that cannot be cut parks the thread once', async () => {
  stub.answer = () => ({
    content: {
      task_overview: 'long '.repeat(9_000),
      ...{ current_state: '', important_discoveries: '', next_steps: '', context_to_preserve: '' },
    },
  });
  await due('longer');
  await called(1);
  await until('it failed', async () => (await outcomes(stack, 'longer'))[0] === 'failed');
  expect(await api.summaries('longer')).toEqual([]);

  stub.answer = stub.plain;
  stub.calls.length = 0;
  await api.createThread({
    id: 'tail',
    system: 'word '.repeat(6_000),
    policy: { context: { context_window: 8_000 } },
  });
  await api.append('tail', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('tail')).compaction.state === 'parked');
  expect((await api.thread('tail')).compaction.reason).toBe('irreducible');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await outcomes(stack, 'tail')).toEqual(['parked']);
  await untilQuiet(stack.databaseUrl, 60_000);
  await expectSound(stack);
});
