import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockHolder, type LockHolder } from './lock-holder.js';

let stack: Stack;
let api: Api;
let holder: LockHolder;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  holder = await lockHolder(stack.databaseUrl);
});
afterAll(async () => {
  await holder?.close();
  await stack?.stop();
});

const add = (id: string, text: string) =>
  api.call<Schemas['Instruction']>('POST', `/v1/threads/${id}/instructions`, { text });
const list = async (id: string) =>
  (await api.call<Schemas['InstructionList']>('GET', `/v1/threads/${id}/instructions`)).body.data;

/** Sends both when the other has read the thread, and before either has written. */
async function atOnce(id: string, texts: readonly string[]): Promise<number[]> {
  await holder.holdThread(id);
  const added = texts.map((text) => add(id, text));
  await holder.untilWaiting(texts.length);
  await holder.release();
  return (await Promise.all(added)).map(({ status }) => status).sort();
}

test('an instruction that is added again, at once or later, is added once', async () => {
  await api.append('added-twice', { role: 'user', content: 'Hello.' });
  expect(await atOnce('added-twice', ['Never push to main.', 'Never push to main.'])).toEqual([201, 201]);
  expect(await list('added-twice')).toHaveLength(1);
  await api.append('added-twice', { role: 'assistant', content: 'Hello!' });
  const [one] = await list('added-twice');
  expect((await add('added-twice', 'Never push to main.')).body.id).toBe(one!.id);
  // One that was dismissed is another when it is added again.
  await api.call('PATCH', `/v1/threads/added-twice/instructions/${one!.id}`, { state: 'dismissed' });
  expect((await add('added-twice', 'Never push to main.')).body).toMatchObject({ state: 'active' });
});

test('an instruction that is added again after a message, before its first request is done, is added once', async () => {
  await api.append('added-between', { role: 'user', content: 'Hello.' });
  await holder.holdTable('instructions');
  const first = add('added-between', 'Never push to main.');
  await holder.untilWaiting(1);
  await api.append('added-between', { role: 'user', content: 'Are you there?' });
  const second = add('added-between', 'Never push to main.');
  await holder.untilWaiting(2);
  await holder.release();
  expect((await first).body.id).toBe((await second).body.id);
  expect(await list('added-between')).toHaveLength(1);
});

test('a dismissal stays when the instruction is added again before it is done', async () => {
  await api.append('added-dismissed', { role: 'user', content: 'Hello.' });
  const dismissed = (await add('added-dismissed', 'Never push to main.')).body;
  await holder.holdThread('added-dismissed');
  const path = `/v1/threads/added-dismissed/instructions/${dismissed.id}`;
  const dismissal = api.call('PATCH', path, { state: 'dismissed' });
  await holder.untilWaiting(1);
  const again = add('added-dismissed', 'Never push to main.');
  await holder.untilWaiting(2);
  await holder.release();
  expect((await dismissal).status).toBe(200);
  const added = (await again).body;
  const states = (await list('added-dismissed')).map(({ id, state }) => [id, state]).sort();
  expect(states).toEqual(
    [
      [dismissed.id, 'dismissed'],
      [added.id, 'active'],
    ].sort(),
  );
});

test('the limit of decided instructions holds for two that are added at once', async () => {
  await api.append('added-full', { role: 'user', content: 'Hello.' });
  await rowsOf(
    stack.databaseUrl,
    `INSERT INTO instructions (project_id, thread_uid, id, seq, text, kind, source, decision, decided_seq, decided_at)
     SELECT project_id, uid, 'added-' || n, 1, 'Rule ' || n || '.', 'procedure', 'added', 'active', 1, now()
     FROM threads, generate_series(1, 499) n WHERE id = 'added-full'`,
  );
  expect(await atOnce('added-full', ['Answer in German.', 'Use metric units.'])).toEqual([201, 422]);
});
