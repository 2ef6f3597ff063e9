import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';

let api: Api;
beforeAll(async () => {
  api = apiOf(await borrowedStack('whole'));
});

const user = (content: string) => ({ role: 'user', content });
const agent = (content: string) => ({ role: 'assistant', content });
const filler = Array.from({ length: 18 }, (_, i) =>
  (i % 2 ? agent : user)(`${i}. ${'The cat sat on the mat. '.repeat(26)}`),
);

/** The slots of the summary that code makes of these messages. */
async function slotsAfter(id: string, ...messages: object[]): Promise<Schemas['SummarySlots']> {
  const context = { context_window: 8_000, response_reserve: 0, trigger_ratio: 0.3 };
  await api.createThread({ id, policy: { context, summary: { provider: 'extractive', max_tokens: 1_000 } } });
  await api.append(id, ...messages);
  await until(`${id} has a summary`, async () => (await api.thread(id)).compaction.generation > 0);
  const { body } = await api.call<Schemas['Summary']>('GET', `/v1/threads/${id}/summaries/1`);
  return body.slots!;
}

test('facts have 60 % of a summary by code, and 35 % where it names a task that was closed', async () => {
  const open = await slotsAfter('open', user('Hello, this is Ida Holm. Where is my order A-200?'), ...filler);
  expect(open.budget).toEqual({ instructions: 0, facts: 600, narrative: 400 });

  const closed = await slotsAfter(
    'closed',
    user('Hi, this is Mira Keller. Which tent is the lightest?'),
    agent('The Fjell weighs 1,240 grams.'),
    user('Thanks, bye.'),
    user('Hello, this is Ida Holm. Where is my order A-200?'),
    ...filler,
  );
  expect(closed.budget).toEqual({ instructions: 0, facts: 350, narrative: 650 });
});
