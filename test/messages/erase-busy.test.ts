import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';

let api: Api;
beforeAll(async () => {
  api = apiOf(await borrowedStack('api'));
});

const say = (text: string) => ({ role: 'user', content: text });
const fields = {
  task_overview: 'Count.',
  current_state: 'Counting.',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: '',
};

test('a message of a long thread is erased while others are appended all the time, and the tokens are right', async () => {
  const id = 'busy';
  await api.createThread({
    id,
    policy: { context: { context_window: 200_000 }, summary: { enabled: false } },
  });
  for (let i = 0; i < 2_000; i += 200)
    await api.append(id, ...Array.from({ length: 200 }, (_, n) => say(`Number ${i + n}`)));
  const written = await api.call('POST', `/v1/threads/${id}/summaries`, { fields, to_seq: 50 });
  expect(written).toMatchObject({ status: 201 });
  let isOver = false;
  const append = async () => {
    let count = 0;
    while (!isOver) await api.append(id, say(`Still counting, ${count++}`));
    return count;
  };
  const appending = Promise.all([append(), append()]);
  const erase = (seq: number) => api.call('DELETE', `/v1/threads/${id}/messages/${seq}`);
  // Beside the summary, and under it: the summary goes with it.
  const erased = [await erase(1_000), await erase(20)];
  isOver = true;
  const appended = (await appending).reduce((a, b) => a + b);
  expect(erased.map(({ status }) => status)).toEqual([204, 204]);
  expect(appended).toBeGreaterThan(4);
  const thread = await api.thread(id);
  expect(thread.compaction.generation).toBe(0);
  // The tokens of a fork are counted anew.
  const fork = await api.call<Schemas['Thread']>('POST', `/v1/threads/${id}/fork`, { id: 'of-busy' });
  expect(fork.body.live_tokens).toBe(thread.live_tokens);
});
