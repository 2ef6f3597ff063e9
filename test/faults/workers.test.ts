import { rowsOf, until, untilQuiet, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { openHints } from '@spillway/jobs';
import { asProject, claim, commit, openStore } from '@spillway/store';
import { describe, expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';
import {
  compacted,
  dueThread,
  expectSound,
  isFull,
  quickTimes,
  outcomes,
  policy,
  talk,
} from './fault-rig.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel(
  {
    workers: 2,
    proxied: true,
    env: { ...quickTimes, SPILLWAY_LEASE_MS: '3000' },
  },
  (on) => ({ stub, stack, api } = on),
);

const called = (n: number) => until(`call ${n}`, () => Promise.resolve(stub.calls.length >= n));

test('F10 the same hint in two workers at once makes one summary', async () => {
  const [project] = await rowsOf<{ id: string }>(
    stack.databaseUrl,
    `SELECT id FROM projects WHERE name = 'default'`,
  );
  const hints = openHints(stack.redis!.url, () => undefined);
  await until('Redis is there', async () => (await hints.state()) === 'ok');
  stub.answer = (call) => ({ ...stub.plain(call), delayMs: 500 });
  await dueThread(api, 'twice');
  const hint = { projectId: project!.id, threadId: 'twice' };
  for (let i = 0; i < 6; i++) expect(await hints.send('compact-thread', hint, `twice-${i}`)).toBe(true);
  await compacted(api, 'twice');
  await hints.close();
  await untilQuiet(stack.databaseUrl, 30_000);
  expect(await api.summaries('twice')).toHaveLength(1);
});

test('F12 heartbeats that fail while the model works: the attempt is given up or refused, and made once more', async () => {
  stub.answer = (call) => ({ ...stub.plain(call), delayMs: stub.calls.length === 1 ? 5_000 : 0 });
  await dueThread(api, 'beats');
  await called(1);
  await stack.proxies!.postgres.set('refuse');
  stack.proxies!.postgres.dropConnections();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await stack.proxies!.postgres.set('pass');
  await compacted(api, 'beats');
  expect(await api.summaries('beats')).toHaveLength(1);
  await expectSound(stack);
});

test('F14 a commit whose answer is lost is done, and not done again', { tags: 'long' }, async () => {
  await Promise.all(stack.workers.map((worker) => worker.stop()));
  await dueThread(api, 'unsure');
  const [project] = await rowsOf<{ id: string }>(
    stack.databaseUrl,
    `SELECT id FROM projects WHERE name = 'default'`,
  );
  const projectId = project!.id;
  const { postgres } = stack.proxies!;
  // The statements themselves, on one connection through the network that fails.
  const url = postgres.through(stack.databaseUrl);
  const store = openStore({ url, maxConnections: 1, onError: () => undefined });
  await asProject(projectId, 'test', async () => {
    const row = (await claim(store.query, {
      projectId,
      threadId: 'unsure',
      owner: 'x',
      leaseMs: 60_000,
      prepareAgainMs: 60_000,
    }))!;
    await postgres.set('lost-replies');
    const unsure = commit(store.query, {
      ...{
        projectId,
        threadUid: row.uid,
        epoch: row.leaseEpoch,
        chain: row.chain,
        generation: row.generation,
      },
      ...{ coveredThrough: 0, contentVersion: row.contentVersion, newChain: false, fromSeq: 1, toSeq: 10 },
      ...{
        carried: [],
        clearedThrough: 0,
        holds: null,
        fields: '{}',
        text: 'x',
        summaryTokens: 10,
        method: 'extractive',
      },
      ...{
        liveTokensAtClaim: row.liveTokens,
        tokensBefore: row.liveTokens,
        policyVersionAtClaim: row.policyVersion,
        weighedVersionAtClaim: row.weighedVersion,
        liveTokensAfter: 100,
        tokensAfter: 100,
        model: null,
        author: null,
        restoredFrom: null,
        failure: null,
        adopted: null,
        prepared: null,
        found: '[]',
        shownInstructions: '{}',
        fidelity: '{}',
        recall: null,
        seenSeq: 0,
        request: null,
      },
    });
    await expect(unsure).rejects.toMatchObject({ code: 'database_unavailable' });
  });
  await postgres.set('pass');
  postgres.dropConnections();
  await store.close();
  for (const worker of [...stack.workers]) await stack.restart(worker);
  await untilQuiet(stack.databaseUrl, 30_000);
  expect(await api.summaries('unsure')).toHaveLength(1);
  expect((await api.thread('unsure')).compaction).toMatchObject({ generation: 1, covered_through: 10 });
});

test('F15 messages that come while a summary is made are not in it, and get the next one', async () => {
  // With a lease that a busy machine does not miss: another attempt would see what came meanwhile.
  await Promise.all(stack.workers.map((worker) => worker.stop()));
  const patient = await stack.startWorker({ SPILLWAY_LEASE_MS: '60000' });
  const { promise: appended, resolve: answer } = Promise.withResolvers<void>();
  stub.answer = (call) => ({ ...stub.plain(call), ...(stub.calls.length === 1 ? { after: appended } : {}) });
  await dueThread(api, 'busy');
  await called(1);
  for (let i = 0; i < 10; i++) await api.append('busy', ...talk(`more-${i}`, 20));
  answer();
  await compacted(api, 'busy', 2);
  await untilQuiet(stack.databaseUrl, 30_000);
  const [first, second] = await api.summaries('busy');
  expect(first!.to_seq).toBeLessThanOrEqual(20);
  expect(second!.from_seq).toBe(first!.to_seq + 1);
  expect(await api.originals('busy')).toHaveLength(220);
  await expectSound(stack);
  await patient.stop();
  await Promise.all([...stack.workers].map((worker) => stack.restart(worker)));
});

describe(
  'F13 a worker killed at any point of a compaction: it resumes, and there is one summary',
  { tags: 'long' },
  () => {
    const points = ['compaction.called'];
    test.each(isFull ? ['compaction.claimed', 'compaction.read', 'compaction.committed', ...points] : points)(
      '%s',
      async (point) => {
        const thread = point.replace('.', '-');
        await Promise.all(stack.workers.map((worker) => worker.stop()));
        const doomed = await stack.startWorker({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: point });
        await dueThread(api, thread);
        expect((await doomed.exited).signal).toBe('SIGKILL');
        for (const worker of [...stack.workers]) await stack.restart(worker);
        await compacted(api, thread);
        expect(await api.summaries(thread)).toHaveLength(1);
        const ended = await outcomes(stack, thread);
        expect(ended.at(-1)).toBe('compacted');
        expect(ended.filter((outcome) => outcome === 'compacted')).toHaveLength(1);
        await expectSound(stack);
      },
    );
  },
);

test(
  'F11 a worker suspended beyond its lease wakes up to find its work done by another',
  { tags: 'long' },
  async () => {
    stub.answer = (call) => ({ ...stub.plain(call), delayMs: stub.calls.length === 1 ? 5_000 : 0 });
    const owners = new Map(stack.workers.map((worker) => [`:${worker.pid}:`, worker]));
    await api.createThread({ id: 'suspended', policy });
    await api.append('suspended', ...talk('suspended'));
    await called(1);
    const [row] = await rowsOf<{ owner: string }>(
      stack.databaseUrl,
      `SELECT lease_owner AS owner FROM threads WHERE id = 'suspended'`,
    );
    const [, holder] = [...owners].find(([part]) => row!.owner.includes(part))!;
    holder.pause();
    await compacted(api, 'suspended');
    holder.resume();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await api.summaries('suspended')).toHaveLength(1);
    await expectSound(stack);
  },
);
