import { apiOf, startStack, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proposedSummary } from '../folding-thread.js';
import { untilLocked } from '../until-locked.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '200' } });
});
afterAll(() => stack?.stop());

test('a repeated approval that meets the commit of the same summary is told that it is approved', async () => {
  const api = apiOf(stack);
  const policy = {
    context: { context_window: 8_000, trigger_ratio: 0.3 },
    summary: { max_tokens: 300, apply: 'on_approval' },
  };
  await api.createThread({ id: 't', policy });
  const generation = await proposedSummary(api, 't');
  await stack.workers[0]!.stop();
  const approve = () =>
    api.call<{ compaction: { generation: number } }>('POST', `/v1/threads/t/summaries/${generation}/approve`);
  expect((await approve()).status).toBe(202);
  const [holder, threads] = [new pg.Client(stack.databaseUrl), new pg.Client(stack.databaseUrl)] as const;
  await Promise.all([holder.connect(), threads.connect()]);
  try {
    // The retry has found nothing to approve and seen the thread. The summary is put in place before it looks for it.
    await holder.query('BEGIN; LOCK TABLE prepared_summaries');
    const retried = approve();
    await untilLocked(stack.databaseUrl, 1);
    const locked = threads.query('BEGIN; LOCK TABLE threads');
    await untilLocked(stack.databaseUrl, 2);
    await holder.query('COMMIT');
    await locked;
    await untilLocked(stack.databaseUrl, 1);
    await holder.query('BEGIN; LOCK TABLE prepared_summaries');
    await threads.query('COMMIT');
    await untilLocked(stack.databaseUrl, 1);
    await holder.query(`INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq,
        visible_from_seq, carried, cleared_through, fields, text, tokens, tokens_before, tokens_after, method, instructions, replaces)
      SELECT project_id, thread_uid, generation, 1, from_seq, to_seq, as_of_seq, as_of_seq, carried, cleared_through,
        fields, text, tokens, tokens_before, tokens_after, method, instructions, 0 FROM prepared_summaries`);
    await holder.query(`UPDATE threads t SET generation = t.prepared_generation, needs_compaction = false,
        covered_through = (SELECT to_seq FROM prepared_summaries), prepared_generation = 0, requested_at = NULL`);
    await holder.query('COMMIT');
    expect(await retried).toMatchObject({ status: 202, body: { compaction: { generation } } });
  } finally {
    await Promise.all([holder.end(), threads.end()]);
  }
});
