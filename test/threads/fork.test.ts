import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldOnce, folding } from '../folding-thread.js';
import { toolCall, toolResult } from '../tool-calls.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 1, redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

type Forked = Schemas['Thread'] & { code: string; detail: string };
const fork = (id: string, body: { at?: number; id?: string } = {}) =>
  api.call<Forked>('POST', `/v1/threads/${id}/fork`, body);
const rewind = (id: string, to_seq: number) => api.call('POST', `/v1/threads/${id}/rewind`, { to_seq });
const say = (content: string, id?: string) => ({ role: 'user', content, ...(id ? { id } : {}) });
const listed = async (id: string) =>
  (await api.call<Schemas['MessageList']>('GET', `/v1/threads/${id}/messages?limit=500`)).body.data;
const instructionsOf = async (id: string) =>
  (await api.call<Schemas['InstructionList']>('GET', `/v1/threads/${id}/instructions`)).body.data;
const auditOf = (id: string) =>
  rowsOf<{ action: string; detail: string | null }>(
    stack.databaseUrl,
    `SELECT action, detail FROM audit_log WHERE target = (SELECT uid::text FROM threads WHERE id = $1) ORDER BY id`,
    [id],
  );

/** What a context says, without the numbers of its own thread. */
async function shownIn(id: string) {
  const { messages, tokens, summary, elided, pending_calls, last_seq } = await api.context(id);
  return { messages, tokens, elided, pending_calls, last_seq, covered: summary?.to_seq ?? 0 };
}

test('a fork has the messages and settings of its parent up to a seq, and each goes its own way', async () => {
  const settings = { model: 'gpt-4o', system: 'Be kind.', metadata: { user: '42' } };
  await api.createThread({ id: 'parent', ...settings });
  await api.append('parent', say('one', 'a'), { ...say('two', 'b'), pinned: true }, say('three', 'c'));
  await api.call('DELETE', '/v1/threads/parent/messages/1');
  const before = [await api.thread('parent'), await listed('parent')];
  const forked = await fork('parent', { at: 2, id: 'child' });
  expect(forked.status).toBe(201);
  expect(forked.body).toMatchObject({
    ...settings,
    ...{ id: 'child', last_seq: 2, recorded_seq: 2, forked_from: { thread: 'parent', at: 2 } },
  });
  expect([await api.thread('parent'), await listed('parent')]).toEqual(before);
  expect(await listed('child')).toEqual((await listed('parent')).slice(0, 2));
  expect((await api.thread('parent')).forked_from).toBeNull();
  // Ids of messages that it has are known to it, and others are free.
  const again = await api.call<Schemas['MessagesAppended']>('POST', '/v1/threads/child/messages', {
    messages: [{ ...say('two', 'b'), pinned: true }],
  });
  expect(again).toMatchObject({ status: 200, body: { messages: [{ seq: 2 }] } });
  expect((await api.append('child', say('another three', 'c'))).messages[0]!.seq).toBe(3);
  await api.append('parent', say('four'));
  const contents = async (id: string) => (await api.context(id)).messages.map(({ content }) => content);
  expect(await contents('child')).toEqual(['[This message was erased.]', 'two', 'another three']);
  expect(await contents('parent')).toEqual(['[This message was erased.]', 'two', 'three', 'four']);
  const exported = await api.call<string>('GET', '/v1/threads/child/export');
  expect(exported.body).toContain('another three');
});

test('the context of a fork is that of its parent, with its summary, and no summary is made again', async () => {
  await api.createThread({ id: 'folded', policy: folding });
  await api.append('folded', { role: 'system', content: 'Be kind.' });
  await api.append('folded', say('From now on, always answer in German.'), {
    ...say('Keep me.'),
    pinned: true,
  });
  await foldOnce(api, 'folded');
  const first = (await api.context('folded')).summary!;
  await foldOnce(api, 'folded');
  await api.append('folded', say('The newest.'));
  expect((await api.context('folded')).summary).toMatchObject({ generation: 2 });
  const newest = await fork('folded', { id: 'folded-newest' });
  expect(await shownIn('folded-newest')).toEqual(await shownIn('folded'));
  expect(newest.body.compaction).toMatchObject({ generation: 1, state: 'idle' });
  expect(newest.body.live_tokens).toBe((await api.thread('folded')).live_tokens);
  // Earlier, it is what the parent shows after a rewind to there.
  const at = first.to_seq + 2;
  await fork('folded', { id: 'folded-earlier', at });
  await rewind('folded', at);
  expect((await api.context('folded')).summary).toMatchObject({ to_seq: first.to_seq });
  expect(await shownIn('folded-earlier')).toEqual(await shownIn('folded'));
  expect((await api.thread('folded-earlier')).live_tokens).toBe((await api.thread('folded')).live_tokens);
  await fork('folded', { id: 'folded-start', at: 3 });
  await rewind('folded', 3);
  expect(await shownIn('folded-start')).toEqual(await shownIn('folded'));
  expect((await api.context('folded-start')).summary).toBeNull();
  for (const id of ['folded-newest', 'folded-earlier', 'folded-start'])
    expect(await api.compactions(id)).toEqual([]);
  // It is folded on as any other, and its first fold can be undone.
  const undone = await api.call('DELETE', '/v1/threads/folded-earlier/summaries/1');
  expect(undone.status).toBe(200);
  expect((await api.context('folded-earlier')).summary).toBeNull();
  const covered = newest.body.compaction.covered_through;
  await foldOnce(api, 'folded-newest');
  const next = (await api.context('folded-newest')).summary;
  expect(next).toMatchObject({ generation: 2, from_seq: covered + 1 });
  expect(JSON.stringify((await api.context('folded-newest')).messages)).toContain('answer in German');
});

test('a server that holds the context of the parent is told by the fork only what is new', async () => {
  await api.append('held', say('one'), { role: 'assistant', content: 'Yes.' });
  const { fingerprint } = await api.context('held');
  await fork('held', { id: 'held-fork' });
  await api.append('held-fork', say('two'));
  const since = await api.context('held-fork', `?since=${fingerprint}`);
  expect(since).toMatchObject({ append: [say('two')] });
  const then = await api.context('held-fork', '?at=2');
  expect(then).toMatchObject({ served: { exact: true }, fingerprint });
});

test('instructions, decisions about them, and what is kept follow; nobody is said to have decided again', async () => {
  await api.append('ruled', say('From now on, always answer in German.'), say('Never push to main.'));
  const [german] = await instructionsOf('ruled');
  await api.call('PATCH', `/v1/threads/ruled/instructions/${german!.id}`, { state: 'dismissed' });
  await api.call('POST', '/v1/threads/ruled/instructions', { text: 'Always run the tests.' });
  await api.append('ruled', say('From now on, always sign your commits.'));
  await api.call('POST', '/v1/threads/ruled/messages/keep', { from_seq: 1, to_seq: 1 });
  await fork('ruled', { id: 'ruled-fork', at: 2 });
  const statesOf = async (id: string) => (await instructionsOf(id)).map(({ text, state }) => [text, state]);
  const signed = ([text]: [string, string]) => text.includes('sign');
  const parents = (await statesOf('ruled')) as [string, string][];
  expect(parents.some(signed)).toBe(true);
  expect(await statesOf('ruled-fork')).toEqual(parents.filter((one) => !signed(one)));
  const held = await rowsOf(
    stack.databaseUrl,
    `SELECT m.hold FROM messages m JOIN threads t ON t.uid = m.thread_uid WHERE t.id = 'ruled-fork' AND m.seq = 1`,
  );
  expect(held).toEqual([{ hold: 'keep' }]);
  expect((await auditOf('ruled-fork')).map(({ action }) => action)).toEqual(['thread.forked']);
  const { body } = await api.call<Schemas['EventList']>('GET', '/v1/threads/ruled-fork/events');
  expect(body.data.map(({ type }) => type)).toEqual(['thread.forked']);
});

test('rewound messages are not in a fork, and a seq that was rewound or is not there is refused', async () => {
  await api.append('branched', say('one'), say('two'), say('three'));
  await rewind('branched', 1);
  await api.append('branched', say('four'));
  const { body } = await fork('branched');
  expect(body).toMatchObject({ last_seq: 4, recorded_seq: 4, forked_from: { thread: 'branched', at: 4 } });
  expect((await listed(body.id)).map(({ seq }) => seq)).toEqual([1, 4]);
  expect(body.total_tokens).toBe((await api.thread('branched')).total_tokens);
  expect(await shownIn(body.id)).toEqual(await shownIn('branched'));
  expect((await api.append(body.id, say('five'))).messages[0]!.seq).toBe(5);
  expect(await fork('branched', { at: 2 })).toMatchObject({ status: 409, body: { code: 'message_rewound' } });
  const beyond = await fork('branched', { at: 5 });
  expect(beyond).toMatchObject({
    status: 422,
    body: { code: 'invalid_request', errors: [{ path: '/at', message: 'must be at most 4' }] },
  });
  expect(await fork('branched', { at: -1 })).toMatchObject({ status: 422 });
  expect(await fork('nowhere')).toMatchObject({ status: 404, body: { code: 'thread_not_found' } });
  const empty = await fork('branched', { at: 0 });
  expect(empty.body).toMatchObject({ last_seq: 0, total_tokens: 0 });
  expect((await api.append(empty.body.id, say('first'))).messages[0]!.seq).toBe(1);
});

test('a call that waits for its result stays open in a fork, which may get another one', async () => {
  const result = (content: string) => toolResult('c1', content);
  await api.append('open', say('Run it.'), toolCall('c1'), result('no'));
  const { body } = await fork('open', { at: 2 });
  expect((await api.context(body.id)).pending_calls).toEqual([{ seq: 2, call_id: 'c1', name: 'sh' }]);
  await api.append(body.id, result('yes'));
  expect((await api.context(body.id)).messages.at(-1)).toEqual(result('yes'));
});

test('the same fork again is the same thread; an id that is taken by another one is refused', async () => {
  await api.append('origin', say('one'), say('two'));
  const made = await fork('origin', { id: 'once', at: 1 });
  await api.append('once', say('its own'));
  const again = await fork('origin', { id: 'once', at: 1 });
  expect([made.status, again.status]).toEqual([201, 200]);
  expect(again.body).toMatchObject({ id: 'once', last_seq: 2, created_at: made.body.created_at });
  const refused = async (id: string, body: { at?: number; id: string }) =>
    expect(await fork(id, body)).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
  await refused('origin', { id: 'once', at: 2 });
  await refused('origin', { id: 'origin' });
  await refused('once', { id: 'origin' });
  // Whoever names no seq meant the newest of then.
  expect((await fork('origin', { id: 'newest' })).status).toBe(201);
  await api.append('origin', say('three'));
  expect(await fork('origin', { id: 'newest' })).toMatchObject({ status: 200, body: { last_seq: 2 } });
  const many = await Promise.all(Array.from({ length: 4 }, () => fork('origin', { id: 'raced', at: 2 })));
  expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  expect(await listed('raced')).toHaveLength(2);
  await api.call('DELETE', '/v1/threads/once');
  expect((await fork('origin', { id: 'once', at: 1 })).body.code).toBe('thread_erased');
});

test('a fork is one event and one audit entry, is found by its parent, and can be forked', async () => {
  await api.append('told', say('one'), say('two'));
  await fork('told', { id: 'told-1', at: 1 });
  await fork('told', { id: 'told-2' });
  await fork('told-2', { id: 'told-3' });
  const events = await api.call<Schemas['EventList']>('GET', '/v1/threads/told-1/events');
  expect(events.body.data).toMatchObject([
    { type: 'thread.forked', thread_id: 'told-1', data: { from_thread_id: 'told', at: 1 } },
  ]);
  const [entry, ...others] = await auditOf('told-1');
  expect(others).toEqual([]);
  expect(entry!.action).toBe('thread.forked');
  // The log names the parent by an id of ours, which says nothing once it is erased.
  const [parent] = await rowsOf<{ uid: string }>(
    stack.databaseUrl,
    `SELECT uid::text FROM threads WHERE id = 'told'`,
  );
  expect(JSON.parse(entry!.detail!)).toEqual({ from: parent!.uid, at: 1 });
  const forksOf = async (id: string) =>
    (await api.call<Schemas['ThreadList']>('GET', `/v1/threads?forked_from=${id}&sort=id`)).body.data;
  expect((await forksOf('told')).map(({ id }) => id)).toEqual(['told-1', 'told-2']);
  expect((await forksOf('told-2')).map(({ id }) => id)).toEqual(['told-3']);
  await api.call('DELETE', '/v1/threads/told');
  await api.call('DELETE', '/v1/threads/told-2');
  expect(await api.thread('told-3')).toMatchObject({ forked_from: { thread: 'told-2', at: 2 }, last_seq: 2 });
  expect((await api.context('told-3')).messages).toEqual([say('one'), say('two')]);
});

test('a fork that takes too long is refused as such, and leaves nothing', async () => {
  await api.append('heavy', say('one'));
  await rowsOf(
    stack.databaseUrl,
    `CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(9); RETURN NEW; END $$`,
  );
  const trigger = 'take_long BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION take_long()';
  await rowsOf(stack.databaseUrl, `CREATE TRIGGER ${trigger}`);
  const refused = await fork('heavy', { id: 'heavy-fork' });
  await rowsOf(stack.databaseUrl, 'DROP TRIGGER take_long ON messages');
  expect(refused).toMatchObject({ status: 422, body: { code: 'thread_too_large' } });
  expect((await api.call('GET', '/v1/threads/heavy-fork')).status).toBe(404);
  expect((await fork('heavy', { id: 'heavy-fork' })).status).toBe(201);
});

test('a long thread is forked whole while its parent is appended to', async () => {
  const posts = Array.from({ length: 10 }, (_, i) =>
    Array.from({ length: 1_000 }, (_, j) => say(`${i * 1_000 + j + 1} ${'text '.repeat(40)}`)),
  );
  await api.createThread({ id: 'long', policy: { summary: { enabled: false } } });
  for (const messages of posts) await api.append('long', ...messages);
  let isDone = false;
  let appended = 0;
  const forking = fork('long', { at: 10_000, id: 'long-fork' }).finally(() => (isDone = true));
  while (!isDone) {
    await api.append('long', say('meanwhile'));
    if (!isDone) appended++;
  }
  expect(await forking).toMatchObject({ status: 201, body: { last_seq: 10_000 } });
  expect(appended).toBeGreaterThan(0);
  const same = await rowsOf<{ messages: number; same: number }>(
    stack.databaseUrl,
    `SELECT count(*)::int AS messages, count(*) FILTER (WHERE a.body = b.body AND a.hash = b.hash AND a.created_at = b.created_at)::int AS same
     FROM messages a JOIN threads p ON p.uid = a.thread_uid AND p.id = 'long'
     JOIN threads f ON f.id = 'long-fork' JOIN messages b ON b.thread_uid = f.uid AND b.seq = a.seq`,
  );
  expect(same).toEqual([{ messages: 10_000, same: 10_000 }]);
});
