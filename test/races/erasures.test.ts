import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockHolder } from './lock-holder.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const say = (text: string) => ({ role: 'user', content: text });
const fields = {
  task_overview: 'Count.',
  current_state: 'Counting.',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: '',
};
/** A thread of so many messages, with a summary of the first ones. */
async function write(id: string, messages: number): Promise<void> {
  await api.createThread({
    id,
    policy: { context: { context_window: 200_000 }, summary: { enabled: false } },
  });
  for (let i = 0; i < messages; i += 200)
    await api.append(id, ...Array.from({ length: 200 }, (_, n) => say(`Number ${i + n}`)));
  const written = await api.call('POST', `/v1/threads/${id}/summaries`, { fields, to_seq: 50 });
  expect(written).toMatchObject({ status: 201 });
}
const erase = (id: string, seq: number) => api.call('DELETE', `/v1/threads/${id}/messages/${seq}`);

test('a message of a long thread is erased while others are appended all the time', async () => {
  await write('busy', 2_000);
  let isOver = false;
  const append = async () => {
    while (!isOver) await api.append('busy', say('Still counting.'));
  };
  const appending = Promise.all([append(), append()]);
  // Beside the summary, and under it: the summary goes with it.
  const erased = [await erase('busy', 1_000), await erase('busy', 20)];
  isOver = true;
  await appending;
  expect(erased.map(({ status }) => status)).toEqual([204, 204]);
});

test('the tokens of a message that is appended while the summary is erased with another one are counted', async () => {
  await write('folded', 200);
  const holder = await lockHolder(stack.databaseUrl);
  try {
    await holder.holdThread('folded');
    const appended = api.append('folded', say('One more, and one with more words than the others have.'));
    await holder.untilWaiting(1);
    // It has read the thread without the message that comes first.
    const erased = erase('folded', 20);
    await holder.untilWaiting(2);
    await holder.release();
    await appended;
    expect((await erased).status).toBe(204);
  } finally {
    await holder.close();
  }
  const { compaction, live_tokens } = await api.thread('folded');
  expect(compaction.generation).toBe(0);
  // Those of a context are counted anew.
  expect((await api.context('folded')).tokens.total).toBe(live_tokens);
});
