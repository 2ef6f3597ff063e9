import { apiOf, rowsOf, startStack, startStubLlm, until, type Stack, type StubLlm } from '@spillway/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settled, turns } from '../folding-thread.js';

let stub: StubLlm;
let stack: Stack;
beforeEach(async () => {
  stub = await startStubLlm();
});
/** A short lease ends soon after its worker; on a busy machine it may also end before an attempt that goes on. */
async function start(leaseMs: number): Promise<void> {
  const env = { ...stub.env, SPILLWAY_LEASE_MS: `${leaseMs}`, SPILLWAY_POLL_MS: '500' };
  stack = await startStack({ env });
}
afterEach(async () => {
  await stack?.stop();
  await stub?.stop();
});

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

test('F13 a worker killed in the middle of a summary costs one more call, and the thread is compacted once', async () => {
  await start(3_000);
  const api = apiOf(stack);
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), delayMs: 60_000 });
  await api.createThread({ id: 'killed', policy });
  await api.append('killed', ...turns(20));
  await until('the summary is being made', () => Promise.resolve(stub.calls.length === 1));
  await stack.workers[0]!.kill();

  const context = await api.context('killed');
  expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
  expect((await api.thread('killed')).compaction.generation).toBe(0);

  stub.answer = plain;
  await stack.startWorker();
  await settled(api, 'killed', 1);
  const summaries = await api.summaries('killed');
  expect(summaries).toHaveLength(1);
  expect(summaries[0]).toMatchObject({ from_seq: 1, method: 'llm', model: 'gpt-4o-mini' });
  const outcomes = (await api.compactions('killed')).map((attempt) => attempt.outcome);
  // On a busy machine a lease may run out once more.
  expect(outcomes.filter((outcome) => outcome !== 'lost')).toEqual(['compacted']);
  expect(outcomes.at(-1)).toBe('lost');
});

test('F11 a slow worker that lost its lease cannot commit over the one that took it', async () => {
  await start(60_000);
  const api = apiOf(stack);
  const plain = stub.answer;
  await stack.startWorker();
  await api.createThread({ id: 'slow', policy });
  stub.answer = (call) => ({ ...plain(call), delayMs: stub.calls.length === 1 ? 4_000 : 0 });
  await api.append('slow', ...turns(20));
  await until('the summary is being made', () => Promise.resolve(stub.calls.length === 1));
  // Somebody takes the lease away, as happens to a process that was suspended.
  await rowsOf(
    stack.databaseUrl,
    `UPDATE threads SET lease_until = now(), lease_epoch = lease_epoch + 1 WHERE id = 'slow'`,
  );
  await until('it is compacted', async () => (await api.thread('slow')).compaction.generation > 0);
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  const summaries = await api.summaries('slow');
  expect(summaries).toHaveLength(1);
  expect(summaries[0]!.from_seq).toBe(1);
});

test('F46 a thread whose attempts never report back is parked as poison and retried by hand', async () => {
  await start(3_000);
  const api = apiOf(stack);
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), delayMs: 60_000 });
  await api.createThread({ id: 'poison', policy });
  await api.append('poison', ...turns(20));
  for (let death = 1; death <= 3; death++) {
    await until(`attempt ${death}`, () => Promise.resolve(stub.calls.length >= death));
    await stack.workers[death - 1]!.kill();
    stack.workers.push(await stack.startWorker());
  }
  const parked = await until('it is parked', async () => {
    const thread = await api.thread('poison');
    return thread.compaction.state === 'parked' && thread;
  });
  expect(parked.compaction.reason).toBe('poison');
  const lost = (await api.compactions('poison')).filter(({ outcome }) => outcome === 'lost');
  expect(lost.length).toBeGreaterThanOrEqual(3);
  expect(stub.calls.length).toBeLessThanOrEqual(lost.length);

  stub.answer = plain;
  await api.call('POST', '/v1/threads/poison/retry');
  await until('it is compacted', async () => (await api.thread('poison')).compaction.generation === 1);
});
