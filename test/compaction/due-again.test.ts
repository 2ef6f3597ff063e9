import type { Schemas } from '@spillway/client';
import { approveProposal, asService, openStore, readThread } from '@spillway/store';
import { apiOf, rowsOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  // Without workers a thread that becomes due stays due.
  stack = await borrowedStack('api');
});

const policy = { context: { context_window: 8_000, trigger_ratio: 0.2 } };
const fromUser = (content: string) => ({ role: 'user', content });
let projects = 0;

/** A thread over its trigger that was due an hour ago and was parked then. */
async function parkedThread(reason: string): Promise<Api> {
  const name = `due-again-${++projects}`;
  const api = apiOf({ url: stack.url, key: await stack.addProject(name) });
  await api.createThread({ id: 'parked', policy });
  for (let i = 0; i < 4; i++) await api.append('parked', fromUser('All work and no play. '.repeat(100)));
  const parked = await rowsOf(
    stack.databaseUrl,
    `UPDATE threads t SET park_reason = $1, parked_tokens = live_tokens, requested_at = now() - interval '1 hour'
      FROM projects p WHERE p.id = t.project_id AND p.name = $2 AND needs_compaction RETURNING t.id`,
    [reason, name],
  );
  expect(parked).toEqual([{ id: 'parked' }]);
  return api;
}

test.each<[string, string, (api: Api) => Promise<{ status: number } | object>]>([
  [
    'the policy of its project changes',
    'irreducible',
    (api) => api.call('PUT', '/v1/policy', { context: { keep_recent_turns: 1 } }),
  ],
  [
    'the window of its model changes',
    'irreducible',
    (api) => api.call('PUT', '/v1/models/gpt-4o-mini', { context_window: 64_000 }),
  ],
  [
    'its own policy changes',
    'declined',
    (api) =>
      api.call('PATCH', '/v1/threads/parked', {
        policy: { context: { ...policy.context, keep_recent_turns: 1 } },
      }),
  ],
  ['it grows', 'undone', (api) => api.append('parked', fromUser('All work and no play. '.repeat(400)))],
  ['a person retries it', 'poison', (api) => api.call('POST', '/v1/threads/parked/retry')],
  [
    'a person retries all',
    'poison',
    (api) => api.call('POST', '/v1/queue/retry', { state: 'parked', reason: 'poison' }),
  ],
  ['a compaction is requested', 'rejected', (api) => api.call('POST', '/v1/threads/parked/compactions', {})],
  [
    'its last message is rewound',
    'irreducible',
    (api) => api.call('POST', '/v1/threads/parked/rewind', { to_seq: 3 }),
  ],
])('a parked thread is due again from the moment on in which %s', async (_, reason, change) => {
  const api = await parkedThread(reason);
  const answer = await change(api);
  if ('status' in answer) expect(answer.status).toBeLessThan(300);
  expect((await api.thread('parked')).compaction.state).toBe('due');
  const { body } = await api.call<Schemas['Attention']>('GET', '/v1/attention');
  expect(body.concerns.filter(({ kind }) => kind === 'due_for_long')).toEqual([]);
  const { body: queue } = await api.call<Schemas['Queue']>('GET', '/v1/queue');
  expect(queue.oldest_due_ms).toBeLessThan(600_000);
});

test('a thread whose proposal is approved is due from the approval on', async () => {
  await parkedThread('poison');
  const [row] = await rowsOf<{ project: string }>(
    stack.databaseUrl,
    `UPDATE threads t SET park_reason = NULL, prepared_generation = 1, prepared_state = 'proposed'
      FROM projects p WHERE p.id = t.project_id AND p.name = $1 RETURNING p.id AS project`,
    [`due-again-${projects}`],
  );
  const store = openStore({
    url: stack.databaseUrl,
    maxConnections: 1,
    onError: (error) => expect.unreachable(error.message),
  });
  const of = { projectId: row!.project, threadId: 'parked', generation: 1 };
  expect(await asService(() => approveProposal(store.query, of))).toBe(true);
  const thread = await asService(() => readThread(store.query, of.projectId, of.threadId));
  await store.close();
  expect(thread).toMatchObject({ state: 'due', preparedState: 'prepared' });
  expect(thread!.waitedMs).toBeLessThan(600_000);
});

test.each([
  ['from the end of its back-off on', `next_attempt_at = now() - interval '1 s'`, 0, 10 * 60_000],
  [
    'for weeks, in milliseconds',
    `requested_at = now() - interval '40 days'`,
    39 * 86_400_000,
    41 * 86_400_000,
  ],
])('a thread that failed before is due %s', async (_, change, minMs, maxMs) => {
  const api = await parkedThread('poison');
  await rowsOf(
    stack.databaseUrl,
    `UPDATE threads t SET park_reason = NULL, ${change}
      FROM projects p WHERE p.id = t.project_id AND p.name = $1`,
    [`due-again-${projects}`],
  );
  const { body } = await api.call<Schemas['Attention']>('GET', '/v1/attention');
  expect(body.health.counts.due).toBe(1);
  const oldest = body.health.oldest_due_ms!;
  expect(oldest).toBeGreaterThan(minMs);
  expect(oldest).toBeLessThan(maxMs);
  expect(body.concerns.some(({ kind }) => kind === 'due_for_long')).toBe(oldest > 60_000);
});

test('a parked thread that nobody touches keeps the time since which it waits', async () => {
  const api = await parkedThread('poison');
  await api.append('parked', fromUser('And?'));
  await api.call('PUT', '/v1/policy', { context: { keep_recent_turns: 1 } });
  expect((await api.thread('parked')).compaction.state).toBe('parked');
  const rows = await rowsOf<{ hours: number }>(
    stack.databaseUrl,
    `SELECT round(extract(epoch FROM now() - requested_at) / 3600)::int AS hours FROM threads t
      JOIN projects p ON p.id = t.project_id WHERE p.name = $1`,
    [`due-again-${projects}`],
  );
  expect(rows).toEqual([{ hours: 1 }]);
});
