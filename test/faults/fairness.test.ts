import { catalogue } from '@spillway/jobs';
import { apiOf, rowsOf, startStack, startStubLlm, until, type Stack, type StubLlm } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueThread, isFull, llmEnv } from './fault-rig.js';

const jobMs = 400;
let stub: StubLlm;
let stack: Stack;
beforeAll(async () => {
  stub = await startStubLlm();
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), delayMs: jobMs });
  stack = await startStack({ workers: 0, env: { ...llmEnv(stub), SPILLWAY_LEASE_MS: '30000' } });
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
});

test('F43 a project with thousands of due threads delays another’s first compaction by less than two compactions', async () => {
  const backlog = isFull ? 10_000 : 1_000;
  const many = apiOf(stack);
  await dueThread(many, 'template');
  await rowsOf(
    stack.databaseUrl,
    `WITH copies AS (
      INSERT INTO threads SELECT (jsonb_populate_record(t, jsonb_build_object('uid', gen_random_uuid(), 'id', 'copy-' || n))).*
      FROM threads t, generate_series(1, $1::int) n WHERE t.id = 'template' RETURNING uid, project_id
    )
    INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('thread_uid', copies.uid))).*
    FROM messages m JOIN threads t ON t.uid = m.thread_uid AND t.id = 'template', copies`,
    [backlog],
  );
  const one = apiOf({ url: stack.url, key: await stack.addProject('one') });
  await stack.startWorker();
  await until('the backlog is worked on', () => Promise.resolve(stub.calls.length >= 16));
  await dueThread(one, 'single');
  const before = stub.calls.length;
  await until('it is compacted', async () => (await one.thread('single')).compaction.generation === 1);
  const ahead = stub.calls.findIndex(({ prompt }) => prompt.includes('single 0.')) - before;
  const [left] = await rowsOf<{ n: number }>(
    stack.databaseUrl,
    `SELECT count(*)::int AS n FROM threads WHERE needs_compaction`,
  );
  expect(left!.n).toBeGreaterThan(backlog / 2);
  // Each slot makes one compaction at a time, so as many as there are slots begin within one.
  expect(ahead).toBeLessThan(2 * catalogue['compact-thread'].concurrency);
});
