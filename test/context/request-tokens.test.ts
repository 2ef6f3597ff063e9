import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { settled } from '../folding-thread.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

const policy = {
  context: { context_window: 16_000, response_reserve: 4_000 },
  summary: { provider: 'extractive' },
};
/** A third of what a context may take. */
const system = Array.from({ length: 450 }, (_, n) => `Rule ${n} says how to answer letters.`).join(' ');
const step = (n: number) => [
  { role: 'user', content: `Letter ${n}: ${'When does my parcel arrive, and who brings it? '.repeat(20)}` },
  { role: 'assistant', content: `Answer ${n}: ${'It arrives on a weekday, by post. '.repeat(20)}` },
];
const contextWith = async (id: string, request: object): Promise<Schemas['Context']> => {
  const { status, body } = await api.call<Schemas['Context']>('POST', `/v1/threads/${id}/context`, request);
  expect(status).toBe(200);
  return body;
};

test('a thread whose requests bring a long prompt is compacted before its contexts leave messages out', async () => {
  const id = 'long-prompt';
  await api.createThread({ id, policy });
  for (let n = 1; n <= 30; n++) {
    await api.append(id, ...step(n));
    await settled(api, id);
    const { degraded, tokens } = await contextWith(id, { system });
    expect(degraded, `of step ${n}`).toBe(false);
    const { live_tokens: live } = await api.thread(id);
    expect(Math.abs(live - tokens.total), `of step ${n}: ${live} and ${tokens.total}`).toBeLessThan(50);
  }
  expect((await api.thread(id)).compaction.generation).toBeGreaterThan(1);
});
