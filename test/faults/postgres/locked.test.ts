// @module-tag long
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { lockHolder } from '../../races/lock-holder.js';

let stack: Stack;
afterEach(() => stack?.stop());

test('F82 a row that another client holds: all appends to its thread are 409 in seconds, on one connection, and others go on', async () => {
  stack = await startStack({ workers: 0, redis: false });
  const api = apiOf(stack);
  const message = (id: string) => ({ messages: [{ id, role: 'user', content: 'x' }] });
  const post = async (thread: string, id: string) =>
    (await api.call('POST', `/v1/threads/${thread}/messages`, message(id))).status;
  for (const thread of ['held', 'free', 'free-2']) expect(await post(thread, 'first')).toBe(201);
  const waiting = () =>
    rowsOf(
      stack.databaseUrl,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );

  const holder = await lockHolder(stack.databaseUrl);
  await holder.holdThread('held');
  const held: Promise<number>[] = [];
  for (let i = 0; i < 16; i++) {
    held.push(post('held', `${i}`));
    // With those of other threads they make groups, which pass over a row that is held.
    expect(await Promise.all([post('free', `${i}`), post('free-2', `${i}`)])).toEqual([201, 201]);
    expect((await waiting()).length).toBeLessThanOrEqual(1);
  }
  const answers = await within30s(Promise.all(held));
  expect(new Set(answers)).toEqual(new Set([409]));

  await holder.release();
  await holder.close();
  for (let i = 0; i < 16; i++) expect(await post('held', `${i}`)).toBe(201);
  expect(await api.originals('held')).toHaveLength(17);
});

/** One after the other, each would wait for 5 s. */
async function within30s<T>(work: Promise<T>): Promise<T> {
  let done: { result: T } | undefined;
  void work.then((result) => (done = { result }));
  return (await until('all are answered', () => Promise.resolve(done))).result;
}
