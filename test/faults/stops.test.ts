// @module-tag long
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rowsOf, until, untilQuiet, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';
import { compacted, dueThread, expectSound, quickTimes, longTest, outcomes, post } from './fault-rig.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel(
  { apis: 2, workers: 1, env: { ...quickTimes, SPILLWAY_LEASE_MS: '30000' } },
  (on) => ({ stub, stack, api } = on),
);
const ill = pathToFileURL(join(import.meta.dirname, 'ill-process.mjs')).href;
const called = (n: number) => until(`call ${n}`, () => Promise.resolve(stub.calls.length >= n));

test('F44 SIGTERM under load: processes end in time, nothing acknowledged is lost, the attempt is given back', async () => {
  stub.answer = (call) => ({ ...stub.plain(call), delayMs: 60_000 });
  await dueThread(api, 'drained');
  await called(1);
  let stopped = false;
  const acked = new Map<string, number>();
  const writer = (async () => {
    for (let n = 0; !stopped; n++) {
      const id = `w-${n}`;
      const url = stack.apis[n % 2]!.url;
      acked.set(id, (await post(url, stack.key, 'load', { role: 'user', content: id, id })).seq);
    }
  })();
  await until('there is load', () => Promise.resolve(acked.size > 10));
  const [api2, worker] = [stack.apis[1]!, stack.workers[0]!];
  // A process that takes longer than its 25 s ends with 1.
  expect(await Promise.all([api2.stop(), worker.stop()])).toEqual([0, 0]);
  await stack.restart(api2);
  stub.answer = stub.plain;
  await stack.restart(worker);
  await compacted(api, 'drained');
  stopped = true;
  await writer;
  const given = await outcomes(stack, 'drained');
  expect(given).toEqual(['released', 'compacted']);
  const records = await api.originals('load');
  for (const [id, seq] of acked) expect(records[seq - 1]!.content).toBe(id);
  // A slow machine takes so long that the load passes its own trigger.
  await untilQuiet(stack.databaseUrl, 60_000);
  await expectSound(stack);
});

test('F45 SIGTERM while Redis is away, and a second one, end a process all the same', async () => {
  const worker = await stack.startWorker();
  const again = await stack.startWorker();
  await stack.redis!.kill();
  expect(await worker.stop()).toBe(0);
  const code = again.stop();
  process.kill(again.pid, 'SIGTERM');
  await code;
  // Its own end, or that of the second signal: not the exit code 1 of a stop that took too long.
  expect([
    { code: 0, signal: null },
    { code: null, signal: 'SIGTERM' },
  ]).toContainEqual(await again.exited);
  await stack.redis!.start();
});

test('F47 an error that nobody caught ends the process, and its successor goes on', async () => {
  const doomed = await stack.startApi({ NODE_OPTIONS: `--import ${ill}` });
  process.kill(doomed.pid, 'SIGUSR2');
  expect(await doomed.exited).toEqual({ code: 1, signal: null });
  expect(doomed.output()).toContain('thrown in a timer');
  const next = await stack.restart(doomed, { NODE_OPTIONS: '' });
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});

longTest(
  'F50 a worker whose event loop was blocked for longer than its locks last: one effect',
  async () => {
    await stack.workers[0]!.stop();
    const sick = await stack.startWorker({
      NODE_OPTIONS: `--import ${ill}`,
      ILLNESS: 'block',
      SPILLWAY_LEASE_MS: '3000',
    });
    stub.answer = (call) => ({ ...stub.plain(call), delayMs: stub.calls.length === 1 ? 5_000 : 0 });
    await dueThread(api, 'blocked');
    await called(1);
    process.kill(sick.pid, 'SIGUSR2');
    const helper = await stack.startWorker({ SPILLWAY_LEASE_MS: '3000' });
    await compacted(api, 'blocked');
    await new Promise((resolve) => setTimeout(resolve, 70_000));
    expect(await api.summaries('blocked')).toHaveLength(1);
    await expectSound(stack);
    await Promise.all([sick.kill(), helper.kill()]);
    await stack.restart(stack.workers[0]!);
  },
  180_000,
);

test('a worker that starts looks again at threads whose provider refused its key', async () => {
  stub.answer = () => ({ status: 401 });
  await dueThread(api, 'new-key');
  await until('it is parked', async () => (await api.thread('new-key')).compaction.reason === 'auth');
  stub.answer = stub.plain;
  const worker = await stack.startWorker();
  await compacted(api, 'new-key');
  await worker.kill();
  expect(await rowsOf(stack.databaseUrl, `SELECT 1 FROM threads WHERE park_reason = 'auth'`)).toEqual([]);
});
