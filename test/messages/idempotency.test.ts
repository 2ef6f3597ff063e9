import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const say = (id: string | undefined, content: string) => ({ role: 'user', content, ...(id ? { id } : {}) });
const post = (thread: string, ...messages: object[]) =>
  api.call<{ code: string; messages: { seq: number }[]; errors: { path: string }[] }>(
    'POST',
    `/v1/threads/${thread}/messages`,
    { messages },
  );
const seqs = (answer: { body: { messages: { seq: number }[] } }) => answer.body.messages.map((m) => m.seq);

test('the same message id and content is one message, however often it is posted', async () => {
  expect((await post('same', say('a', 'one'))).status).toBe(201);
  const again = await post('same', say('a', 'one'));
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(seqs(again)).toEqual([1]);
  const many = await Promise.all(Array.from({ length: 50 }, () => post('same', say('b', 'two'))));
  expect(new Set(many.flatMap(seqs))).toEqual(new Set([2]));
  expect(many.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect((await api.thread('same')).last_seq).toBe(2);
});

test('other content under a known id is a conflict and writes nothing of the batch', async () => {
  await post('conflict', say('a', 'one'));
  const answer = await post('conflict', say('new', 'x'), say('a', 'other'));
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'message_conflict', errors: [{ path: '/messages/1/id' }] });
  expect(await api.originals('conflict')).toEqual([{ role: 'user', content: 'one' }]);
});

test('a conflict of a key names the key, and not an id that its caller never sent', async () => {
  const headers = { 'Idempotency-Key': 'turn-1' };
  const send = (...messages: object[]) =>
    api.call('POST', '/v1/threads/keyed-conflict/messages', { messages }, headers);
  expect((await send(say(undefined, 'one'))).status).toBe(201);
  expect(await send(say(undefined, 'other'))).toMatchObject({
    status: 409,
    body: {
      code: 'message_conflict',
      detail: expect.stringContaining('Idempotency-Key') as string,
      errors: [{ path: '/idempotency-key' }, { path: '/messages/0' }],
    },
  });
  await post('keyed-conflict', say('a', 'two'));
  expect((await send(say('a', 'three'))).body).toMatchObject({ errors: [{ path: '/messages/0/id' }] });
});

test('a batch of old and new messages writes the new ones and gives the old seqs back', async () => {
  await post('mixed', say('a', 'one'), say('b', 'two'));
  const answer = await post('mixed', say('b', 'two'), say('c', 'three'), say(undefined, 'four'));
  expect(answer.status).toBe(201);
  expect(seqs(answer)).toEqual([2, 3, 4]);
});

test('a batch of old and new messages posted many times at once is written once', async () => {
  await post('race', say('a', 'one'));
  const batch = [say('a', 'one'), say('b', 'two'), say('c', 'three')];
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('race', ...batch)));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(19);
  for (const answer of answers) expect(seqs(answer)).toEqual([1, 2, 3]);
  expect((await api.thread('race')).last_seq).toBe(3);
});

test('an id twice in one batch is one message, or a conflict, also in a thread that is new', async () => {
  expect(seqs(await post('twice', say('a', 'one'), say('b', 'two'), say('a', 'one')))).toEqual([1, 2, 1]);
  const conflict = await post('twice-new', say('a', 'one'), say('a', 'two'));
  expect(conflict.status).toBe(409);
  expect((await api.call('GET', '/v1/threads/twice-new')).status).toBe(404);
});

test('fifty writers on one new thread get the seqs 1..50, each its own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => post('hot', say(`m${i}`, `text ${i}`))),
  );
  expect(answers.every((answer) => answer.status === 201)).toBe(true);
  const given = answers.flatMap(seqs);
  expect([...given].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  const stored = await api.originals('hot');
  answers.forEach((answer, i) => expect(stored[answer.body.messages[0]!.seq - 1]!.content).toBe(`text ${i}`));
});

test('the same id in two threads is two messages', async () => {
  await post('one-thread', say('a', 'one'));
  expect((await post('other-thread', say('a', 'two'))).status).toBe(201);
});

test('fifty creations of one thread make one, and other settings are a conflict', async () => {
  const create = (body: object) => api.call<{ code: string }>('POST', '/v1/threads', { id: 'made', ...body });
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ model: 'gpt-4o' })));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(49);
  expect(await create({ model: 'other' })).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
});

test('an erased thread does not come back to life', async () => {
  await post('erased', say('a', 'secret'));
  expect((await api.call('DELETE', '/v1/threads/erased')).status).toBe(204);
  expect((await post('erased', say('a', 'secret'))).status).toBe(410);
  expect((await api.call('GET', '/v1/threads/erased')).status).toBe(404);
  expect((await api.call('GET', '/v1/threads/erased/context')).status).toBe(404);
  expect((await api.call('DELETE', '/v1/threads/erased')).status).toBe(404);
});

test('a replay is answered while the stored media cannot be read', async () => {
  const url = `data:image/png;base64,${randomBytes(20_000).toString('base64')}`;
  const shot = { id: 'shot', role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
  expect((await post('media', shot)).status).toBe(201);
  const files = await readdir(stack.outputsFolder, { recursive: true });
  const file = join(
    stack.outputsFolder,
    files.find((name) => /media.*\.png$/.test(name))!,
  );
  // A folder in the place of the file: it exists, and reading it fails.
  await rm(file);
  await mkdir(file);
  const again = await post('media', shot, say('next', 'and another'));
  expect(again.status).toBe(201);
  expect(seqs(again)).toEqual([1, 2]);
  expect((await post('media', shot)).status).toBe(200);
});
