import { routes } from '@spillway/contracts';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let ours: Api;
let theirs: Api;
let outputId: string;
let keyId: string;
let webhookId: string;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_TIME_DIVISOR: '10' } });
  ours = apiOf(stack);
  theirs = apiOf({ url: stack.url, key: await stack.addProject('theirs') });
  const big = 'word '.repeat(20_000);
  const posted = await ours.append(
    'secret',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: big },
  );
  outputId = posted.messages[1]!.output!.id;
  [{ id: keyId }] = (await rowsOf<{ id: string }>(
    stack.databaseUrl,
    `SELECT id FROM api_keys WHERE name = 'bootstrap'`,
  )) as [{ id: string }];
  const webhook = await ours.call<{ id: string }>('POST', '/v1/webhooks', { url: 'https://example.com/x' });
  webhookId = webhook.body.id;
});
afterAll(() => stack?.stop());

/** A valid request for each route that names something of ours. */
const bodies: Record<string, unknown> = {
  appendMessages: { messages: [{ role: 'user', content: 'x' }] },
  putThread: { model: 'x' },
  changeThread: { model: 'x' },
  runTool: { arguments: { q: 'word' } },
  changeMessage: { pinned: true },
  addInstruction: { text: 'Never do that.' },
  changeInstruction: { state: 'dismissed' },
  keepMessages: { from_seq: 1, to_seq: 1 },
  writeSummary: { fields: { task_overview: 'x' }, to_seq: 1 },
  releaseMessages: { from_seq: 1, to_seq: 1 },
  requestCompaction: {},
  previewCompaction: {},
  postContext: {},
  chat: {},
  overrideModel: { context_window: 1_000 },
  createThread: {},
  changePolicy: {},
  retryQueue: { state: 'parked' },
  changeWebhook: {},
  rotateWebhookSecret: {},
};
// PUT makes a thread of one's own, see below.
const named = Object.entries(routes).filter(
  ([key, route]) => key.includes('{id}') && route.id !== 'putThread',
);

describe("another project's ids are not found, on every route", () => {
  test.each(named)('%s', async (key, route) => {
    const [method, path] = key.split(' ') as [string, string];
    const ids: Record<string, string> = { outputs: outputId, keys: keyId, webhooks: webhookId };
    const id = ids[path.split('/')[2]!] ?? 'secret';
    const url = path
      .replace('{id}', id)
      .replace('{generation}', '1')
      .replace('{seq}', '1')
      .replace('{name}', 'search_history')
      .replace('{instruction_id}', '1-0')
      .replace('{delivery_id}', '00000000-0000-4000-8000-000000000000');
    const query = path.endsWith('/grep') ? '?pattern=word' : path.endsWith('/search') ? '?q=word' : '';
    const answer = await theirs.call<{ code: string }>(method, url + query, bodies[route.id]);
    // Posting to an unknown id makes a thread of one's own: the id is free in this project.
    if (route.id === 'appendMessages') expect(answer.status).toBe(201);
    else expect(answer.status).toBe(404);
    if (route.id === 'appendMessages') await theirs.call('DELETE', '/v1/threads/secret');
    expect(JSON.stringify(answer.body)).not.toContain('word word');
    expect((await ours.thread('secret')).last_seq).toBe(2);
  });
});

test("a thread that is put under another project's id is the caller's own", async () => {
  await ours.call('PUT', '/v1/threads/shared-id', { system: 'our secret' });
  const made = await theirs.call('PUT', '/v1/threads/shared-id', { model: 'x' });
  expect(made).toMatchObject({ status: 201, body: { model: 'x', system: null } });
  expect(await ours.thread('shared-id')).toMatchObject({ model: null, system: 'our secret' });
});

describe('without a good key', () => {
  test.each(Object.entries(routes))('%s', async (key, route) => {
    const [method, path] = key.split(' ') as [string, string];
    const url = path
      .replace('{id}', 'secret')
      .replace('{generation}', '1')
      .replace('{name}', 'x')
      .replace('{seq}', '1');
    // One wrong key for each route: an address that tries a hundred of them is told to wait.
    for (const authorization of ['', `Basic ${stack.key}`, `Bearer ${stack.key}x`]) {
      const answer = await ours.call<{ code: string }>(method, url, bodies[route.id], { authorization });
      if (route.scope === 'open') expect(answer.status).toBe(200);
      else expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
  });
});

test('a revoked key stops working within seconds', async () => {
  const key = await stack.addProject('revoked');
  const api = apiOf({ url: stack.url, key });
  expect((await api.call('GET', '/v1/threads')).status).toBe(200);
  await rowsOf(
    stack.databaseUrl,
    `UPDATE api_keys SET revoked_at = now() WHERE project_id = (SELECT id FROM projects WHERE name = 'revoked')`,
  );
  const refused = await until('the key is refused', async () => {
    const { status } = await api.call('GET', '/v1/threads');
    return status !== 200 && status;
  });
  expect(refused).toBe(401);
});

test('keys are stored as hashes only', async () => {
  const rows = await rowsOf(stack.databaseUrl, 'SELECT * FROM api_keys');
  expect(JSON.stringify(rows)).not.toContain(stack.key);
});
