import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, sweepNow, until } from '@spillway/testing';
import type { Api, Stack, StubLlm } from '@spillway/testing';
import { describe, expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';
import { parsed, rewritten } from '../threads/backup-lines.js';
import { callOf, toolRun } from '../tool-calls.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel({ redis: false, env: { SPILLWAY_POLL_MS: '200' } }, (on) => ({ stub, stack, api } = on));

type Answer = Schemas['MessagesAppended'] & {
  code: string;
  detail: string;
  errors: { path: string; message: string }[];
};
const say = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
const post = (thread: string, messages: object[], query = '') =>
  api.call<Answer>('POST', `/v1/threads/${thread}/messages${query}`, { messages });
const listed = async (thread: string, query = '') =>
  (await api.call<Schemas['MessageList']>('GET', `/v1/threads/${thread}/messages${query}`)).body.data;
const times = async (thread: string) => (await listed(thread)).map(({ sent_at }) => sent_at);

const noon = '2025-03-09T12:00:00.125Z';

test('a message keeps the time at which it was sent beside the one at which it was recorded', async () => {
  const before = Date.now();
  await post('kept', [say('one', { sent_at: '2025-03-09T14:00:00.125+02:00' }), say('two'), say('three')]);
  await post('kept', [say('four')]);
  await post('kept', [say('five', { id: 'named', sent_at: '2025-03-09T12:00:00Z' })]);
  const messages = await listed('kept');
  expect(messages.map(({ sent_at }) => sent_at)).toEqual([
    noon,
    null,
    null,
    null,
    '2025-03-09T12:00:00.000Z',
  ]);
  for (const { created_at } of messages) {
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now() + 1_000);
  }
  // It is no part of the message: neither a list nor a context, which a provider is sent, shows it there.
  expect(messages[0]!.message).toEqual(say('one'));
  expect((await api.context('kept')).messages[0]).toEqual(say('one'));
  const one = await api.call<Schemas['MessageWithNeighbours']>('GET', '/v1/threads/kept/messages/2?around=1');
  expect(one.body.data.map(({ sent_at }) => sent_at)).toEqual([noon, null, null]);
});

test('each format takes it, with and without ids, media and large results', async () => {
  const image = `data:image/png;base64,${Buffer.alloc(3_000, 7).toString('base64')}`;
  const large = Array.from({ length: 4_000 }, (_, i) => `line ${i}`).join('\n');
  const posted: [string, object[]][] = [
    [
      'openai',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }, ...toolRun('c', large)],
    ],
    ['anthropic', [{ role: 'user', content: [{ type: 'text', text: 'a' }], id: 'own' }]],
    [
      'responses',
      [
        { type: 'message', role: 'user', content: 'a' },
        { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'sh', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'b' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
      ],
    ],
    ['ai-sdk', [{ role: 'user', content: [{ type: 'text', text: 'a' }] }]],
  ];
  for (const [format, messages] of posted) {
    const timed = messages.map((message, i) => ({ ...message, sent_at: `2025-03-09T12:00:0${i}Z` }));
    expect((await post(`of-${format}`, timed, `?format=${format}`)).status, format).toBe(201);
    expect(await times(`of-${format}`)).toEqual(messages.map((_, i) => `2025-03-09T12:00:0${i}.000Z`));
    expect((await api.originals(`of-${format}`)) as object[]).toEqual(
      messages.map((message) => {
        const { id, ...rest } = message as { id?: string };
        return format === 'responses' && id !== undefined ? message : rest;
      }),
    );
  }
});

describe('a time that is none is refused, with its place, and nothing is recorded', () => {
  test.each<[string, unknown, string]>([
    ['a number', 1_741_521_600, 'must be a time with an offset'],
    ['null', null, 'must be a time with an offset'],
    ['no time', 'yesterday', 'must be a time with an offset'],
    ['a day', '2025-03-09', 'must be a time with an offset'],
    ['no seconds', '2025-03-09T12:00Z', 'must be a time with an offset'],
    ['no offset', '2025-03-09T12:00:00', 'must be a time with an offset'],
    ['a day that is not in its month', '2025-02-30T12:00:00Z', 'must be a time with an offset'],
    ['before 1970', '1969-12-31T23:59:59Z', 'must not be before 1970-01-01T00:00:00Z'],
    ['the year 0', '0000-01-01T00:00:00Z', 'must not be before 1970-01-01T00:00:00Z'],
    ['the year 9999', '9999-12-31T23:59:59Z', 'must not be more than a minute in the future'],
  ])('%s', async (_what, sentAt, reason) => {
    for (const format of ['openai', 'anthropic', 'responses', 'ai-sdk']) {
      const answer = await post('refused', [say('a'), say('b', { sent_at: sentAt })], `?format=${format}`);
      expect(answer.status, format).toBe(422);
      expect(answer.body).toMatchObject({ code: 'invalid_request' });
      expect(answer.body.errors, format).toContainEqual({
        path: '/messages/1/sent_at',
        message: expect.stringContaining(reason) as string,
      });
    }
    expect((await api.call('GET', '/v1/threads/refused')).status).toBe(404);
  });

  test('clocks may differ by a minute, and not by more', async () => {
    const ahead = (ms: number) => ({ sent_at: new Date(Date.now() + ms).toISOString() });
    expect((await post('ahead', [say('a', ahead(50_000))])).status).toBe(201);
    expect((await post('ahead', [say('b', ahead(70_000))])).status).toBe(422);
    expect((await api.thread('ahead')).last_seq).toBe(1);
  });
});

test('a retry with another time, or with none, is a replay: the first time stays', async () => {
  const first = say('one', { id: 'a', sent_at: noon });
  expect((await post('again', [first])).status).toBe(201);
  for (const more of [{ sent_at: noon }, { sent_at: '2025-04-01T00:00:00Z' }, {}]) {
    const again = await post('again', [say('one', { id: 'a', ...more })]);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
  expect((await post('again', [say('other', { id: 'a', sent_at: noon })])).status).toBe(409);
  // One without a time keeps having none, and new messages of a batch keep theirs.
  await post('again', [say('two', { id: 'b' })]);
  const mixed = [say('two', { id: 'b', sent_at: noon }), say('three', { id: 'c', sent_at: noon })];
  expect((await post('again', mixed)).status).toBe(201);
  expect(await times('again')).toEqual([noon, null, noon]);
});

test('appends of several threads at once keep their own times', async () => {
  const timed = (i: number) => (i % 3 === 0 ? {} : { sent_at: new Date(i * 86_400_000).toISOString() });
  const threads = Array.from({ length: 40 }, (_, i) => `many-${i}`);
  await Promise.all(threads.map((id) => post(id, [say('first')])));
  await Promise.all(threads.map((id, i) => post(id, [say('a', timed(i)), say('b'), say('c', timed(i + 1))])));
  for (const [i, id] of threads.entries())
    expect(await times(id)).toEqual([
      null,
      ...[timed(i), {}, timed(i + 1)].map((one: { sent_at?: string }) => one.sent_at ?? null),
    ]);
});

test('an export, as JSON lines and for people, says both times, and a request of a provider none', async () => {
  await post('exported', [say('one', { sent_at: noon }), say('two')]);
  const { body } = await api.call<string>('GET', '/v1/threads/exported/export');
  const lines = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; sent_at?: string; created_at: string });
  const messages = lines.filter(({ type }) => type === 'message');
  expect(messages.map(({ sent_at }) => sent_at)).toEqual([noon, null]);
  const markdown = await api.call<string>('GET', '/v1/threads/exported/export?format=markdown');
  expect(markdown.body).toContain(`## 1 · user · ${noon} · recorded ${messages[0]!.created_at}`);
  expect(markdown.body).toContain(`## 2 · user · ${messages[1]!.created_at}\n`);
  for (const as of ['openai', 'anthropic', 'responses', 'ai-sdk']) {
    const converted = await api.call<string>('GET', `/v1/threads/exported/export?as=${as}`);
    expect(converted.status).toBe(200);
    expect(converted.body).not.toContain('2025-03-09');
  }
});

test('a fork has the times of its parent', async () => {
  await post('parent', [say('one', { sent_at: noon }), say('two'), say('three', { sent_at: noon })]);
  expect((await api.call('POST', '/v1/threads/parent/fork', { at: 2, id: 'fork' })).status).toBe(201);
  expect(await listed('fork')).toEqual((await listed('parent')).slice(0, 2));
  expect(await times('fork')).toEqual([noon, null]);
});

test('a backup keeps the times, and one that was made before they were kept restores without them', async () => {
  await post('saved', [say('one', { sent_at: noon }), say('two')]);
  const backup = (await api.call<string>('GET', '/v1/threads/saved/backup')).body;
  const other = apiOf({ url: stack.url, key: await stack.addProject('restored') });
  const restored = await other.call<Schemas['ThreadRestored']>('PUT', '/v1/threads/saved/backup', backup);
  expect(restored).toMatchObject({ status: 201, body: { same_context: true } });
  const path = '/v1/threads/saved/messages';
  const rows = (await other.call<Schemas['MessageList']>('GET', path)).body.data;
  expect(rows.map(({ sent_at }) => sent_at)).toEqual([noon, null]);
  expect(rows).toEqual(await listed('saved'));
  const older = parsed(backup)
    .slice(0, -1)
    .map((line) => {
      const { sent_at: _, ...row } = Object(line.row) as Record<string, unknown>;
      return line.table === 'messages' ? { ...line, row } : line;
    });
  expect(JSON.stringify(older)).not.toContain('sent_at');
  const before = apiOf({ url: stack.url, key: await stack.addProject('restored from an older one') });
  expect((await before.call('PUT', '/v1/threads/saved/backup', rewritten(older))).status).toBe(201);
  const without = (await before.call<Schemas['MessageList']>('GET', path)).body.data;
  expect(without.map(({ sent_at }) => sent_at)).toEqual([null, null]);
});

test('an erased message keeps its times, as it keeps its seq and its role', async () => {
  await post('erased', [say('one', { sent_at: noon }), say('two')]);
  expect((await api.call('DELETE', '/v1/threads/erased/messages/1')).status).toBe(204);
  expect(await listed('erased')).toMatchObject([
    { sent_at: noon, erased_at: expect.any(String) as string },
    {},
  ]);
});

test('a thread whose messages are old is neither older nor swept earlier for it', async () => {
  const { body: made } = await api.call<Schemas['Thread']>('POST', '/v1/threads', { id: 'old' });
  const sent_at = '1970-01-01T00:00:00Z';
  const content = Array.from({ length: 4_000 }, (_, i) => `line ${i}`).join('\n');
  const call = callOf('c');
  const posted = await post('old', [
    say('one', { sent_at }),
    { role: 'assistant', content: null, tool_calls: [call], sent_at },
    { role: 'tool', tool_call_id: 'c', content, sent_at },
  ]);
  const output = posted.body.messages[2]!.output!;
  await sweepNow(stack);
  expect((await api.call('GET', `/v1/outputs/${output.id}/content`)).body).toBe(content);
  const thread = await api.thread('old');
  expect(thread.created_at).toBe(made.created_at);
  expect(Date.parse(thread.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.created_at));
  const rows = await rowsOf<{ recent: boolean }>(
    stack.databaseUrl,
    `SELECT bool_and(created_at > now() - interval '5 min') AS recent FROM messages
     WHERE thread_uid = (SELECT uid FROM threads WHERE id = 'old')`,
  );
  expect(rows).toEqual([{ recent: true }]);
});

test('the model that summarizes is told when a message was sent, or else when it was recorded', async () => {
  const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
  await api.createThread({ id: 'told', policy });
  const text = 'All work and no play. '.repeat(40);
  const messages = Array.from({ length: 20 }, (_, i) =>
    i === 0 ? say(`Turn 1. ${text}`, { sent_at: noon }) : say(`Turn ${i + 1}. ${text}`),
  );
  await post('told', messages);
  await until('it is folded', async () => (await api.thread('told')).compaction.generation === 1);
  const [first, second] = [...stub.calls[0]!.prompt.matchAll(/^\{"seq":\d+,"at":"([^"]+)"/gm)];
  expect(first![1]).toBe(noon);
  expect(second![1]).toBe((await listed('told'))[1]!.created_at);
});
