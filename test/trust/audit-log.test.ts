import { apiOf, until, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { toolRun } from '../tool-calls.js';

let stack: BorrowedStack;
let admin: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  admin = apiOf(stack);
});

interface Entry {
  id: string;
  at: string;
  actor: string;
  actor_name: string | null;
  thread_id: string | null;
  action: string;
  target: string;
  detail: Record<string, unknown> | null;
}
const log = async (): Promise<Entry[]> =>
  (await admin.call<{ data: Entry[] }>('GET', '/v1/audit?limit=1000')).body.data;

test('every change that matters is in the audit log, with who did it', async () => {
  const big = Array.from({ length: 4_000 }, (_, i) => `line ${i}`).join('\n');
  // Far from due by itself: nothing but what is asked for below happens to it.
  const wide = { context_window: 100_000 };
  await admin.createThread({ id: 'audited', policy: { context: wide } });
  const posted = await admin.append(
    'audited',
    { role: 'user', content: 'first' },
    ...toolRun('c', big),
    ...Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: `word ${i} `.repeat(60),
    })),
  );
  const outputId = posted.messages[2]!.output!.id;
  const policy = { context: { trigger_tokens: 1_500, min_reclaim_ratio: 0 } };
  await admin.call('PUT', '/v1/policy', { outputs: { head_lines: 4 } });
  await admin.call('PATCH', '/v1/threads/audited', {
    policy: { context: { ...wide, trigger_ratio: 0.7 } },
  });
  await admin.call('PUT', '/v1/models/ours', { context_window: 9_000 });
  await admin.call('POST', `/v1/outputs/${outputId}/pin`);
  await admin.call('DELETE', `/v1/outputs/${outputId}/pin`);
  for (const pinned of [true, true, false])
    await admin.call('PATCH', '/v1/threads/audited/messages/1', { pinned });
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
    'message.pinned',
    'message.unpinned',
    'thread.erased',
  ])
    expect(actions, action).toContain(action);
  expect(actions.filter((action) => action === 'compaction.requested')).toHaveLength(2);
  expect(actions.filter((action) => action === 'message.pinned')).toHaveLength(1);
  expect(actions.filter((action) => action === 'output.pin_changed')).toHaveLength(2);
  // The stack made the project and its first key.
  const byPeople = entries.filter(
    ({ action, target }) => !/^(key|project)\.created$/.test(action) || target === made.body.id,
  );
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
    '/v1/threads/read',
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

const entries = async (query: string): Promise<Entry[]> =>
  (await admin.call<{ data: Entry[] }>('GET', `/v1/audit?limit=1000&${query}`)).body.data;

test('a change of settings is written down with what was there before', async () => {
  await admin.call('PUT', '/v1/policy', { outputs: { head_lines: 7 } });
  await admin.call('PUT', '/v1/policy', { outputs: { head_lines: 8 } });
  const [changed] = await entries('action=policy.changed');
  expect(changed!.detail).toEqual({
    before: '{"outputs":{"head_lines":7}}',
    policy: '{"outputs":{"head_lines":8}}',
  });
  for (const tokens of [9_000, 10_000])
    await admin.call('PUT', '/v1/models/mine', { context_window: tokens });
  await admin.call('DELETE', '/v1/models/mine');
  const ofModel = await entries('target=mine');
  expect(ofModel.map(({ action, detail }) => [action, detail])).toEqual([
    ['model.override_removed', { before: 10_000, context_window: null }],
    ['model.overridden', { before: 9_000, context_window: 10_000 }],
    ['model.overridden', { before: null, context_window: 9_000 }],
  ]);
});

test('the audit log is filtered by who, what, target and time, and names keys and threads', async () => {
  const { body } = await admin.call<{ id: string; key: string }>('POST', '/v1/keys', {
    name: 'operator',
    scopes: ['admin'],
  });
  const operator = apiOf({ url: stack.url, key: body.key });
  const { body: session } = await operator.call<{ token: string }>('POST', '/v1/sessions');
  const person = apiOf({ url: stack.url, key: session.token });
  await operator.append('filtered', { role: 'user', content: 'hello' });
  await person.context('filtered');
  await operator.call('DELETE', '/v1/threads/filtered/messages/1');
  const ofKey = await entries(`actor=key:${body.id}`);
  expect(ofKey.map(({ action }) => action)).toEqual(['message.erased', 'content.read', 'session.started']);
  expect(ofKey.map(({ actor_name }) => actor_name)).toEqual(['operator', 'operator', 'operator']);
  expect(ofKey.map(({ thread_id }) => thread_id)).toEqual(['filtered', 'filtered', null]);
  expect(await entries(`actor=key:${body.id}&action=content.read`)).toHaveLength(1);
  expect(await entries('target=/filtered/cont')).toHaveLength(1);
  const actionsOf = async (kind: string) =>
    new Set((await entries(`kind=${kind}`)).map(({ action }) => action));
  expect(await actionsOf('reads')).toEqual(new Set(['content.read']));
  const changes = await actionsOf('changes');
  expect([changes.has('content.read'), changes.has('message.erased')]).toEqual([false, true]);
  await operator.call('POST', '/v1/threads/filtered/instructions', { text: 'Answer in German.' });
  const [added] = await entries(`actor=key:${body.id}&action=instruction.added`);
  expect(added!.thread_id).toBe('filtered');
  const { at } = ofKey[1]!;
  const since = await entries(`actor=key:${body.id}&from=${at}`);
  expect(since.map(({ action }) => action)).toEqual(['instruction.added', 'message.erased', 'content.read']);
  expect(await entries(`actor=key:${body.id}&to=${at}`)).toHaveLength(1);
  expect((await admin.call('GET', '/v1/audit?from=yesterday')).status).toBe(422);
});

test('the audit log is exported whole, as filtered, a line for each entry', async () => {
  const answer = await admin.call<string>('GET', '/v1/audit/export');
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = (typeof answer.body === 'string' ? answer.body : '').trimEnd().split('\n');
  const exported = lines.map((line) => JSON.parse(line) as Entry);
  expect(exported).toEqual(await log());
  const some = await admin.call<string>('GET', '/v1/audit/export?action=key.created');
  expect(some.body.trimEnd().split('\n')).toHaveLength((await entries('action=key.created')).length);
});
