import type { Schemas } from '@spillway/client';
import { apiOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proposedSummary } from '../folding-thread.js';

let stack: Stack;
beforeAll(async () => {
  // A worker that is paused puts nothing in place.
  stack = await startStack();
});
afterAll(() => stack?.stop());

test('an approval holds although the settings of the project change before a worker puts it in place', async () => {
  const api = apiOf(stack);
  const policy = {
    context: { context_window: 8_000, trigger_ratio: 0.3 },
    summary: { max_tokens: 300, apply: 'on_approval' },
  };
  await api.createThread({ id: 'changed', policy });
  const generation = await proposedSummary(api, 'changed');
  const path = `/v1/threads/changed/summaries/${generation}`;
  const shown = await api.call<Schemas['Summary']>('GET', path);

  const [worker] = stack.workers;
  worker!.pause();
  try {
    expect((await api.call('POST', `${path}/approve`)).status).toBe(202);
    const changed = await api.call('PUT', '/v1/policy', { outputs: { threshold_tokens: 2_000 } });
    expect(changed.status).toBe(200);
  } finally {
    worker!.resume();
  }
  await until('it is compacted', async () => (await api.thread('changed')).compaction.generation > 0);
  expect(await api.summaries('changed')).toMatchObject([
    { generation, active: true, fields: shown.body.fields },
  ]);
});
