import type { Schemas } from '@spillway/client';
import { apiOf, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { log } from '../threads/backup-lines.js';
import { callOf, toolResult } from '../tool-calls.js';
import { lockHolder } from './lock-holder.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
});
afterAll(() => stack?.stop());

test.each([
  ['the same id', ['copy', 'copy']],
  ['two ids', ['copy', 'other']],
])('two restores of one backup at once under %s: one thread, with its outputs', async (_name, ids) => {
  const from = apiOf({ url: stack.url, key: await stack.addProject(`backed-up-${ids.join('-')}`) });
  const to = apiOf({ url: stack.url, key: await stack.addProject(`restored-${ids.join('-')}`) });
  const result = log(2_000);
  await from.append(
    'source',
    { role: 'user', content: 'Build.' },
    { role: 'assistant', content: null, tool_calls: [callOf('b1')] },
    toolResult('b1', result),
  );
  const { body: backup } = await from.call<string>('GET', '/v1/threads/source/backup');
  const restore = (id: string) =>
    to.call<Schemas['ThreadRestored'] & Schemas['Problem']>('PUT', `/v1/threads/${id}/backup`, backup);
  const holder = await lockHolder(stack.databaseUrl);
  try {
    // Both have found their id free and received all bytes.
    await holder.holdTable('threads', 'writers');
    const both = ids.map(restore);
    await holder.untilWaiting(2);
    await holder.release();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('thread_exists');
    const { id } = answers.find(({ status }) => status === 201)!.body;
    expect((await to.call<{ data: { id: string }[] }>('GET', '/v1/threads')).body.data).toMatchObject([
      { id },
    ]);
    expect((await to.originals(id)).at(-1)).toMatchObject({ content: result });
    // A retry after an answer that was lost makes no other one.
    expect((await restore(id)).status).toBe(409);
    expect((await to.originals(id)).at(-1)).toMatchObject({ content: result });
  } finally {
    await holder.close();
  }
});
