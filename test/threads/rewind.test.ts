import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { foldOnce, folding } from '../folding-thread.js';
import { toolCall, toolResult } from '../tool-calls.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

type Rewound = Schemas['ThreadRewound'] & { code: string; detail: string };
const rewind = (id: string, to_seq: number, headers: Record<string, string> = {}) =>
  api.call<Rewound>('POST', `/v1/threads/${id}/rewind`, { to_seq }, headers);
const say = (content: string, id?: string) => ({ role: 'user', content, ...(id ? { id } : {}) });
const contents = (context: { messages: { [key: string]: unknown }[] }) =>
  context.messages.map(({ content }) => content);
const listed = async (id: string) =>
  (await api.call<Schemas['MessageList']>('GET', `/v1/threads/${id}/messages?limit=500`)).body.data;

test('later messages leave the context, stay readable, and their seqs are not used again', async () => {
  await api.append('back', say('one'), say('two'), say('three'), say('four'));
  const before = await api.context('back');
  const total = (await api.thread('back')).total_tokens;
  expect(await rewind('back', 2)).toMatchObject({
    status: 200,
    body: { thread: { id: 'back', last_seq: 2 }, messages: 2 },
  });
  const after = await api.context('back');
  expect(contents(after)).toEqual(['one', 'two']);
  expect(after.last_seq).toBe(2);
  expect((await api.thread('back')).total_tokens).toBeLessThan(total);
  const added = await api.append('back', say('five'));
  expect(added.messages[0]!.seq).toBe(5);
  expect(contents(await api.context('back'))).toEqual(['one', 'two', 'Noted.', 'five']);
  expect((await listed('back')).map((one) => [one.seq, one.rewound_before])).toEqual([
    [1, null],
    [2, null],
    [3, 5],
    [4, 5],
    [5, null],
  ]);
  // Time travel shows what was served before and after.
  const at4 = await api.call<Schemas['Context']>('GET', '/v1/threads/back/context?at=4');
  expect(at4.body).toMatchObject({ messages: before.messages, served: { exact: true } });
  const at2 = await api.call<Schemas['Context']>('GET', '/v1/threads/back/context?at=2');
  expect(at2.body).toMatchObject({ messages: after.messages, served: { exact: true } });
  // Where nothing was served, the messages of then are shown.
  const at3 = await api.call<Schemas['Context']>('GET', '/v1/threads/back/context?at=3');
  expect(contents(at3.body)).toEqual(['one', 'two', 'three']);
  const search = await api.call<{ data: { seq: number }[] }>('GET', '/v1/threads/back/search?q=three');
  expect(search.body.data).toEqual([]);
});

test('a rewind to 0 empties the thread, and it goes on', async () => {
  await api.append('empty', { role: 'system', content: 'Be kind.' }, say('one'));
  expect((await rewind('empty', 0)).body).toMatchObject({ thread: { last_seq: 0 }, messages: 2 });
  expect((await api.context('empty')).messages).toEqual([]);
  await api.append('empty', { role: 'system', content: 'Be brief.' }, say('two'));
  const context = await api.call<Schemas['Context']>('GET', '/v1/threads/empty/context?format=anthropic');
  expect(context.body).toMatchObject({ system: 'Be brief.', last_seq: 4 });
});

test('the same rewind twice changes nothing, and a target that was rewound is refused', async () => {
  await api.append('target', say('one'), say('two'), say('three'));
  await rewind('target', 1);
  expect((await rewind('target', 1)).body).toMatchObject({ messages: 0, thread: { last_seq: 1 } });
  expect(await rewind('target', 2)).toMatchObject({ status: 409, body: { code: 'message_rewound' } });
  await api.append('target', say('four'));
  expect(await rewind('target', 3)).toMatchObject({ status: 409, body: { code: 'message_rewound' } });
  expect(await rewind('target', 5)).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  expect((await rewind('nowhere', 0)).status).toBe(404);
});

test('a key rewinds once, and If-Match refuses a thread that moved', async () => {
  await api.append('keys', say('one'), say('two'), say('three'));
  expect(await rewind('keys', 1, { 'if-match': '2' })).toMatchObject({ status: 412 });
  const first = await rewind('keys', 1, { 'idempotency-key': 'k', 'if-match': '3' });
  expect(first.body.messages).toBe(2);
  await api.append('keys', say('four'));
  const again = await rewind('keys', 1, { 'idempotency-key': 'k', 'if-match': '3' });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toMatchObject({ messages: 2, thread: { last_seq: 4 } });
  expect(await rewind('keys', 0, { 'idempotency-key': 'k' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
  // Another agent that saw only what was rewound is refused.
  await rewind('keys', 1);
  const stale = await api.call(
    'POST',
    '/v1/threads/keys/messages',
    { messages: [say('stale')] },
    { 'if-match': '4' },
  );
  expect(stale.status).toBe(412);
  const fresh = await api.call(
    'POST',
    '/v1/threads/keys/messages',
    { messages: [say('fresh')] },
    { 'if-match': '1' },
  );
  expect(fresh.status).toBe(201);
});

test('a rewound message frees its id', async () => {
  await api.append('ids', say('one', 'a'), say('two', 'b'));
  await rewind('ids', 1);
  const posted = await api.append('ids', say('another two', 'b'));
  expect(posted.messages[0]!.seq).toBe(3);
  expect((await listed('ids')).map(({ id }) => id)).toEqual(['a', 'b', 'b']);
  const replayed = await api.call<Schemas['MessagesAppended']>('POST', '/v1/threads/ids/messages', {
    messages: [say('another two', 'b')],
  });
  expect(replayed).toMatchObject({ status: 200, body: { messages: [{ seq: 3 }] } });
});

test('summaries of rewound messages give way to the newest that covers none, and are not restored', async () => {
  await api.createThread({ id: 'folds', policy: folding });
  await foldOnce(api, 'folds');
  const one = (await api.context('folds')).summary!;
  const last = await foldOnce(api, 'folds');
  const shown = await api.context('folds');
  expect(shown.summary).toMatchObject({ generation: 2 });
  const target = one.to_seq + 1;
  await rewind('folds', target);
  const context = await api.context('folds');
  expect(context.summary).toMatchObject({ generation: 3, to_seq: one.to_seq });
  const summaries = await api.call<Schemas['SummaryList']>('GET', '/v1/threads/folds/summaries');
  expect(summaries.body.data.map(({ generation, state }) => [generation, state])).toEqual([
    [3, 'active'],
    [2, 'rewound'],
    [1, 'replaced'],
  ]);
  expect(await api.call('POST', '/v1/threads/folds/summaries/2/restore')).toMatchObject({
    status: 409,
    body: { code: 'summary_rewound' },
  });
  const past = await api.call<Schemas['Context']>('GET', `/v1/threads/folds/context?at=${last}`);
  expect(past.body).toMatchObject({ messages: shown.messages, served: { exact: true } });
  // Before the first fold there is no summary to fall back to.
  await rewind('folds', 1);
  expect((await api.context('folds')).summary).toBeNull();
  expect((await api.thread('folds')).compaction).toMatchObject({ generation: 0, covered_through: 0 });
  // It is folded again as any other, and what was rewound is in no summary.
  await api.append('folds', say('The canary is never seen.'));
  await rewind('folds', 1);
  await foldOnce(api, 'folds');
  expect(JSON.stringify((await api.context('folds')).messages)).not.toContain('canary');
});

test('instructions of rewound messages no longer hold, and those they retired hold again', async () => {
  await api.append('rules', say('From now on, always answer in German.'), say('Hello'));
  const active = async () => {
    const { body } = await api.call<{ data: { text: string; state: string }[] }>(
      'GET',
      '/v1/threads/rules/instructions',
    );
    return body.data.filter(({ state }) => state === 'active').map(({ text }) => text);
  };
  const [german] = await active();
  expect(german).toContain('German');
  await api.append('rules', say('From now on, always answer in French.'));
  expect((await active()).join()).toContain('French');
  await rewind('rules', 2);
  expect(await active()).toEqual([german]);
});

test('a rewind is an event and in the audit log, and an erasure takes it', async () => {
  await api.append('retold', say('one'), say('two'));
  await rewind('retold', 1, { 'idempotency-key': 'retold' });
  const events = await api.call<Schemas['EventList']>('GET', '/v1/threads/retold/events');
  expect(events.body.data.find(({ type }) => type === 'thread.rewound')).toMatchObject({
    data: { to_seq: 1, from_seq: 2, messages: 1 },
  });
  const audit = await rowsOf<{ action: string }>(
    stack.databaseUrl,
    `SELECT action FROM audit_log WHERE action = 'thread.rewound'
       AND target = (SELECT uid::text FROM threads WHERE id = 'retold')`,
  );
  expect(audit).toHaveLength(1);
  const exported = await api.call<string>('GET', '/v1/threads/retold/export');
  expect(exported.body).toContain('"rewound_before":3');
  // A rewound message can be erased, and not pinned.
  const pinned = await api.call('PATCH', '/v1/threads/retold/messages/2', { pinned: true });
  expect(pinned).toMatchObject({ status: 409, body: { code: 'message_rewound' } });
  const live = (await api.thread('retold')).live_tokens;
  expect((await api.call('DELETE', '/v1/threads/retold/messages/2')).status).toBe(204);
  expect((await api.thread('retold')).live_tokens).toBe(live);
  const left = () =>
    rowsOf(
      stack.databaseUrl,
      `SELECT FROM rewinds WHERE thread_uid IN (SELECT uid FROM threads WHERE id = 'retold')`,
    );
  expect(await left()).toHaveLength(1);
  await api.call('DELETE', '/v1/threads/retold');
  expect(await left()).toEqual([]);
});

test('an output of a rewound message stays readable, and is searched no more', async () => {
  const log = Array.from({ length: 2_000 }, (_, i) => `line ${i} ${i === 1234 ? 'needle' : 'hay'}`).join(
    '\n',
  );
  await api.append('outputs', say('Run it.'));
  const posted = await api.append('outputs', toolCall('call-1', 'run'), toolResult('call-1', log));
  const { id } = posted.messages[1]!.output!;
  const find = () =>
    api.call<{ data: unknown[] }>('GET', '/v1/threads/outputs/search?q=needle').then(({ body }) => body.data);
  expect(await find()).not.toEqual([]);
  await rewind('outputs', 2);
  expect((await api.context('outputs')).pending_calls).toEqual([{ seq: 2, call_id: 'call-1', name: 'run' }]);
  expect(await find()).toEqual([]);
  const content = await api.call<string>('GET', `/v1/outputs/${id}/content?lines=1235-1235`);
  expect(content.status).toBe(200);
});
