// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, startStack, type Stack } from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { compacted, dueThread, expectSound } from './fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

test('F72 an API killed while it pins a folded message: the retry has the summary made anew', async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  const api = apiOf(stack);
  await dueThread(api, 't');
  await compacted(api, 't');
  const pin = (url: string) =>
    apiOf({ url, key: stack.key }).call<Schemas['Thread']>('PATCH', '/v1/threads/t/messages/2', {
      pinned: true,
    });
  const doomed = await stack.startApi({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: 'pin.written' });
  await expect(pin(doomed.url)).rejects.toThrow();
  expect((await doomed.exited).signal).toBe('SIGKILL');
  expect((await pin(stack.url)).status).toBe(200);
  await compacted(api, 't', 2, 20_000);
  const pinned = (await api.originals('t'))[1]!.content;
  expect((await api.context('t')).messages.map(({ content }) => content)).toContain(pinned);
  await expectSound(stack);
});
