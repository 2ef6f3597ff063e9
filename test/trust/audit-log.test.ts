import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let admin: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 1, redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  admin = apiOf(stack);
});
afterAll(() => stack?.stop());

interface Entry {
  id: string;
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown> | null;
}
const log = async (): Promise<Entry[]> =>
  (await admin.call<{ data: Entry[] }>('GET', '/v1/audit?limit=1000')).body.data;

test('every change that matters is in the audit log, with who did it', async () => {
  const big = Array.from({ length: 4_000 }, (_, i) => `line ${i}`).join('\n');
  const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } };
  // Far from due by itself: nothing but what is asked for below happens to it.
  const wide = { context_window: 100_000 };
  await admin.createThread({ id: 'audited', policy: { context: wide } });
  const posted = await admin.append(
    'audited',
    { role: 'user', content: 'first' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: big },
    ...Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: `word ${i} `.repeat(60),
    })),
  );
  const outputId = posted.messages[2]!.output!.id;
  const policy = { context: { max_tokens: 1_500, min_reclaim_ratio: 0 } };
  await admin.call('PUT', '/v1/policy', { outputs: { head_lines: 4 } });
  await admin.call('PATCH', '/v1/threads/audited', {
    policy: { context: { ...wide, trigger_ratio: 0.7 } },
  });
  await admin.call('PUT', '/v1/models/ours', { context_window: 9_000 });
  await admin.call('POST', `/v1/outputs/${outputId}/pin`);
  await admin.call('DELETE', `/v1/outputs/${outputId}/pin`);
  const compacted = await admin.call('POST', '/v1/threads/audited/compactions', { policy, wait_ms: 20_000 });
  expect(compacted.body).toMatchObject({ result: 'compacted' });
  const restored = await admin.call('POST', '/v1/threads/audited/summaries/1/restore');
  expect(restored).toMatchObject({ status: 200 });
  await admin.call('POST', '/v1/threads/audited/rebuild');
  await until('it is rebuilt', async () => (await admin.thread('audited')).compaction.state === 'idle');
  await admin.call('POST', '/v1/threads/audited/summaries/1/quarantine');
  await admin.call('DELETE', '/v1/threads/audited/messages/1');
  await admin.call('DELETE', '/v1/threads/audited');
  const made = await admin.call<{ id: string }>('POST', '/v1/keys', { name: 'x', scopes: ['context:read'] });
  await admin.call('DELETE', `/v1/keys/${made.body.id}`);

  const entries = await log();
  const actions = entries.map((entry) => entry.action);
  for (const action of [
    'key.created',
    'key.revoked',
    'policy.changed',
    'thread.policy_changed',
    'model.overridden',
    'output.pin_changed',
    'compaction.requested',
    'summary.restored',
    'summary.withdrawn',
    'message.erased',
    'thread.erased',
  ])
    expect(actions, action).toContain(action);
  expect(actions.filter((action) => action === 'compaction.requested')).toHaveLength(2);
  expect(actions.filter((action) => action === 'output.pin_changed')).toHaveLength(2);
  const byPeople = entries.filter((entry) => entry.action !== 'key.created' || entry.target === made.body.id);
  for (const entry of byPeople) expect(entry.actor, entry.action).toMatch(/^key:[0-9a-f-]{36}$/);
  expect(JSON.stringify(entries)).not.toContain('word 1 word');
});

test('what a person reads in a session is in the audit log before it is shown; what an agent reads is not', async () => {
  await admin.append('read', { role: 'user', content: 'hello' });
  const { body } = await admin.call<{ token: string }>('POST', '/v1/sessions');
  const person = apiOf({ url: stack.url, key: body.token });
  await admin.context('read');
  for (let i = 0; i < 3; i++) await person.context('read');
  await person.call('GET', '/v1/threads/read/messages');
  await person.thread('read');
  const reads = (await log()).filter((entry) => entry.action === 'content.read');
  expect(reads.map((entry) => entry.target).sort()).toEqual([
    '/v1/threads/read/context',
    '/v1/threads/read/messages',
  ]);
  for (const { actor } of reads) expect(actor).toMatch(/^session:/);
});

test('the audit log is read in pages, newest first', async () => {
  const first = await admin.call<{ data: Entry[]; next_cursor: string }>('GET', '/v1/audit?limit=3');
  const second = await admin.call<{ data: Entry[] }>(
    'GET',
    `/v1/audit?limit=3&cursor=${first.body.next_cursor}`,
  );
  const ids = [...first.body.data, ...second.body.data].map((entry) => Number(entry.id));
  expect(ids).toHaveLength(6);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
  expect((await admin.call('GET', '/v1/audit?cursor=x')).status).toBe(422);
});
