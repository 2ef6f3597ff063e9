import { randomBytes } from 'node:crypto';
import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_POOL: '1' } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

test('a message with an image that is posted again needs no second connection while the thread is locked', async () => {
  const url = `data:image/png;base64,${randomBytes(60_000).toString('base64')}`;
  const image = {
    id: 'shown',
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ],
  };
  const first = await api.append('images', image);
  const path = '/v1/threads/images/messages';
  const messages = [image, { id: 'next', role: 'user', content: 'And this?' }];
  const again = await api.call<typeof first>('POST', path, { messages });
  expect(again.status).toBe(201);
  expect(again.body.messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(again.body.messages[0]).toEqual(first.messages[0]);
});
