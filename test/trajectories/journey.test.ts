import { apiOf, loadTrajectories, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, test } from 'vitest';
import { expectKept } from '../context/replay-thread.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack();
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

test.each(loadTrajectories())('$name keeps every promise, message by message', async ({ name, messages }) => {
  await expectKept(api, { id: name, messages, contextWindow: 16_000 });
});
