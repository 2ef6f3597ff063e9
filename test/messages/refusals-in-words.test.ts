import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';

let api: Api;
beforeAll(async () => {
  api = apiOf(await borrowedStack('api'));
  await api.append('worded', { role: 'user', content: 'hello' });
});

const user = { role: 'user', content: 'x' };
const thread = '/v1/threads/worded';

test.each<[string, string, object | undefined, string, string]>([
  [
    'a word for a number',
    'GET /v1/threads?limit=ten',
    undefined,
    '/limit',
    'must be a whole number from 1 to 1000',
  ],
  [
    'less than none',
    'GET /v1/threads?limit=-1',
    undefined,
    '/limit',
    'must be a whole number from 1 to 1000',
  ],
  ['too many', 'GET /v1/threads?limit=1001', undefined, '/limit', 'must be a whole number from 1 to 1000'],
  ['a parameter twice', 'GET /v1/threads?limit=1&limit=2', undefined, '/limit', 'must be given once'],
  ['another order', 'GET /v1/threads?direction=up', undefined, '/direction', 'must be one of "asc", "desc"'],
  [
    'a date for a time',
    'GET /v1/usage?from=2026-11-30',
    undefined,
    '/from',
    'must be a time like 2026-11-21T08:00:00Z',
  ],
  [
    'a number for a text',
    'POST /v1/threads',
    { metadata: { a: 1 } },
    '/metadata/a',
    'must be a string, not a number',
  ],
  ['a list for an object', 'POST /v1/threads', { policy: [] }, '/policy', 'must be an object, not an array'],
  ['null for an object', `PATCH ${thread}`, { metadata: null }, '/metadata', 'must be an object, not null'],
  [
    'a text for a number',
    `POST ${thread}/context`,
    { max_tokens: '9' },
    '/max_tokens',
    'must be a number, not a string',
  ],
  ['half a number', `POST ${thread}/context`, { max_tokens: 9.5 }, '/max_tokens', 'must be a whole number'],
  [
    'a share over 1',
    `PATCH ${thread}`,
    { policy: { context: { trigger_ratio: 0.91 } } },
    '/policy/context/trigger_ratio',
    'must be at most 0.9',
  ],
  [
    'no share',
    `PATCH ${thread}`,
    { policy: { context: { trigger_ratio: 0 } } },
    '/policy/context/trigger_ratio',
    'must be more than 0',
  ],
  ['no messages', `POST ${thread}/messages`, { messages: [] }, '/messages', 'must not be empty'],
  [
    'too many messages',
    `POST ${thread}/messages`,
    { messages: Array.from({ length: 1_001 }, () => user) },
    '/messages',
    'must have at most 1000 items',
  ],
  [
    'a yes for true',
    `POST ${thread}/messages`,
    { messages: [{ ...user, pinned: 'yes' }] },
    '/messages/0/pinned',
    'must be true or false, not a string',
  ],
  [
    'a role that is none',
    `POST ${thread}/messages`,
    { messages: [{ role: 'robot', content: 'x' }] },
    '/messages/0/role',
    'must be one of "system", "developer", "user", "assistant", "tool"',
  ],
  ['nothing', `POST ${thread}/messages`, {}, '/messages', 'is missing'],
  [
    'a field too many',
    `POST ${thread}/messages`,
    { messages: [user], wait: 1 },
    '/wait',
    'is not a known field',
  ],
])('%s is refused in plain English', async (_what, call, body, path, message) => {
  const [method, url] = call.split(' ') as [string, string];
  const answer = await api.call(method, url, body);
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 'invalid_request', errors: [{ path, message }] },
  });
});

test('a route with another method is not called unknown by its URL alone', async () => {
  expect(await api.call('DELETE', '/v1/threads')).toMatchObject({
    status: 404,
    body: { code: 'not_found', detail: expect.stringContaining('method and URL') as string },
  });
});
