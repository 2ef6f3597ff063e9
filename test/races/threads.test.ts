import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { lockHolder, type LockHolder } from './lock-holder.js';

let stack: BorrowedStack;
let api: Api;
let holder: LockHolder;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
  holder = await lockHolder(stack.databaseUrl);
});
afterAll(() => holder?.close());

const say = (n: number) => ({ role: 'user', content: `${n}. ${'All work and no play. '.repeat(60)}` });
const fields = {
  task_overview: 'Play.',
  current_state: '',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: '',
};
/** Puts a summary of the first three messages in place. */
const summarize = async (id: string) =>
  expect(await api.call('POST', `/v1/threads/${id}/summaries`, { fields, to_seq: 3 })).toMatchObject({
    status: 201,
  });

test('two changes of a thread at once are both made', async () => {
  await api.createThread({ id: 'changed-at-once', metadata: { a: '1' } });
  const change = (body: object) => api.call<Schemas['Thread']>('PATCH', '/v1/threads/changed-at-once', body);
  await holder.holdThread('changed-at-once');
  const changes = [change({ model: 'gpt-4o' }), change({ metadata: { a: '2' } })];
  await holder.untilWaiting(2);
  await holder.release();
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await api.thread('changed-at-once')).toMatchObject({ model: 'gpt-4o', metadata: { a: '2' } });
});

test('a summary is restored while messages come', async () => {
  const id = 'restored-at-once';
  await api.append(id, ...[1, 2, 3, 4, 5, 6].map(say));
  await summarize(id);
  expect((await api.call('DELETE', `/v1/threads/${id}/summaries/1`)).status).toBe(200);
  await holder.holdThread(id);
  const appended = api.append(id, say(7));
  await holder.untilWaiting(1);
  const restored = api.call<Schemas['RestoredSummary']>('POST', `/v1/threads/${id}/summaries/1/restore`);
  await holder.untilWaiting(2);
  await holder.release();
  await appended;
  expect(await restored).toMatchObject({ status: 200, body: { generation: 2, active: true } });
});

test('an erasure that is sent again leaves what was summarized since', async () => {
  const id = 'erased-again';
  await api.append(id, ...[1, 2, 3, 4, 5, 6].map(say));
  const erase = () => api.call('DELETE', `/v1/threads/${id}/messages/1`);
  expect((await erase()).status).toBe(204);
  await summarize(id);
  expect((await erase()).status).toBe(204);
  expect(await api.summaries(id)).toMatchObject([{ generation: 1, state: 'active', fields }]);
});

test('a keep that meets a rewind of its range keeps nothing, and says so', async () => {
  const id = 'kept-and-rewound';
  await api.append(id, ...[1, 2, 3, 4].map(say));
  await holder.holdThread(id);
  const rewound = api.call('POST', `/v1/threads/${id}/rewind`, { to_seq: 2 });
  await holder.untilWaiting(1);
  // It has read its messages and waits, too.
  const range = { from_seq: 3, to_seq: 4 };
  const keep = () => api.call<Schemas['Problem']>('POST', `/v1/threads/${id}/messages/keep`, range);
  const kept = keep();
  await holder.untilWaiting(2);
  await holder.release();
  expect((await rewound).status).toBe(200);
  expect(await kept).toMatchObject({ status: 404, body: { code: 'message_not_found' } });
  expect((await keep()).status).toBe(404);
});
