import { routes } from '@spillway/contracts';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalIn } from '../refusal-in.js';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let ours: Api;
let theirs: Api;
/** Has every scope that a thread token can have, for the thread `other`. */
let otherThread: Api;
let outputId: string;
let keyId: string;
let webhookId: string;
beforeAll(async () => {
  const env = {
    SPILLWAY_TIME_DIVISOR: '10',
    // Without a rate of expensive requests: a refusal must come from whose a thing is, and not from the rate.
    SPILLWAY_EXPENSIVE_RATE_LIMIT: '0',
    // An address that tries a hundred wrong keys is told to wait: each route is asked from one of its own.
    SPILLWAY_TRUSTED_PROXIES: '127.0.0.1',
  };
  stack = await startStack({ workers: 0, redis: false, env });
  ours = apiOf(stack);
  theirs = apiOf({ url: stack.url, key: await stack.addProject('theirs') });
  const big = 'word '.repeat(20_000);
  const posted = await ours.append('secret', ...toolRun('c', big));
  outputId = posted.messages[1]!.output!.id;
  [{ id: keyId }] = (await rowsOf<{ id: string }>(
    stack.databaseUrl,
    `SELECT id FROM api_keys WHERE name = 'bootstrap'`,
  )) as [{ id: string }];
  const webhook = await ours.call<{ id: string }>('POST', '/v1/webhooks', { url: 'https://example.com/x' });
  webhookId = webhook.body.id;
  await ours.createThread({ id: 'other' });
  const { body } = await ours.call<{ token: string }>('POST', '/v1/threads/other/tokens', {
    scopes: ['messages:write', 'context:read', 'outputs:read', 'threads:manage'],
  });
  otherThread = apiOf({ url: stack.url, key: body.token });
});
afterAll(() => stack?.stop());

/** Names the thread of a request to a proxy. */
const ofSecret = { spillway_thread: 'secret' };
/** A valid request for each route that names something of ours. */
const bodies: Record<string, unknown> = {
  appendMessages: { messages: [{ role: 'user', content: 'x' }] },
  putThread: { model: 'x' },
  changeThread: { model: 'x' },
  runTool: { arguments: { q: 'word' } },
  mcp: { jsonrpc: '2.0', id: 1, method: 'ping' },
  changeMessage: { pinned: true },
  addInstruction: { text: 'Never do that.' },
  createThreadToken: { scopes: ['context:read'] },
  changeInstruction: { state: 'dismissed' },
  keepMessages: { from_seq: 1, to_seq: 1 },
  rewindThread: { to_seq: 1 },
  forkThread: { at: 1 },
  writeSummary: { fields: { task_overview: 'x' }, to_seq: 1 },
  releaseMessages: { from_seq: 1, to_seq: 1 },
  requestCompaction: {},
  previewCompaction: {},
  postContext: {},
  chat: {},
  proxyChatCompletion: { model: 'm', messages: [{ role: 'user', content: 'x' }], metadata: ofSecret },
  proxyResponse: { model: 'm', input: 'x', metadata: ofSecret },
  proxyMessage: { model: 'm', messages: [{ role: 'user', content: 'x' }], metadata: ofSecret },
  proxyGenerateContent: { contents: [{ parts: [{ text: 'x' }] }], metadata: ofSecret },
  proxyStreamGenerateContent: { contents: [{ parts: [{ text: 'x' }] }], metadata: ofSecret },
  proxyCountGeminiTokens: { contents: [{ parts: [{ text: 'x' }] }], metadata: ofSecret },
  proxyCountTokens: { model: 'm', messages: [{ role: 'user', content: 'x' }], metadata: ofSecret },
  overrideModel: { context_window: 1_000 },
  createThread: {},
  changePolicy: {},
  retryQueue: { state: 'parked' },
  changeWebhook: {},
  changeKey: {},
  rotateWebhookSecret: {},
};
/** A path with ids of ours. */
function requestTo(path: string): string {
  const ids: Record<string, string> = { outputs: outputId, keys: keyId, webhooks: webhookId };
  return path
    .replace('{id}', ids[path.split('/')[2]!] ?? 'secret')
    .replace('{generation}', '1')
    .replace('{seq}', '1')
    .replace('{name}', 'search_history')
    .replace('{model}', 'm')
    .replace('{instruction_id}', '1-0')
    .replace(/\{(delivery|token)_id\}/, '00000000-0000-4000-8000-000000000000');
}
const queries: [end: string, query: string][] = [
  ['/grep', '?pattern=word'],
  ['/search', '?q=word'],
  [':streamGenerateContent', '?alt=sse'],
];
const queryTo = (path: string): string => queries.find(([end]) => path.endsWith(end))?.[1] ?? '';

/** Another thread and its outputs do not exist for a thread token; it is not a credential for any other route. */
function refusalOf(path: string): [status: number, code: string] {
  if (path.startsWith('/v1/outputs/')) return [404, 'output_not_found'];
  const isProxy = routes[`POST ${path}`]?.proxy !== undefined;
  // No token has the scope admin.
  const isOfAdmin = path.endsWith('/backup');
  const isOfThread =
    isProxy || (path.startsWith('/v1/threads/{id}') && !/\/(tokens|fork)/.test(path) && !isOfAdmin);
  return isOfThread ? [404, 'thread_not_found'] : [403, 'forbidden'];
}
// These make a thread of one's own: see below, and test/threads/backup.test.ts.
const makesThread = ['putThread', 'restoreThread'];
const named = Object.entries(routes).filter(
  ([key, route]) => key.includes('{id}') && !makesThread.includes(route.id) && route.scope !== 'operator',
);

describe("another project's ids are not found, on every route", () => {
  test.each(named)('%s', async (key, route) => {
    const [method, path] = key.split(' ') as [string, string];
    const url = requestTo(path) + queryTo(path);
    const answer = await theirs.call<{ code: string }>(method, url, bodies[route.id]);
    // Posting to an unknown id makes a thread of one's own: the id is free in this project.
    if (route.id === 'appendMessages') expect(answer.status).toBe(201);
    else expect(answer.status).toBe(404);
    if (route.id === 'appendMessages') await theirs.call('DELETE', '/v1/threads/secret');
    expect(JSON.stringify(answer.body)).not.toContain('word word');
    expect((await ours.thread('secret')).last_seq).toBe(2);
  });
});

describe('a token of another thread gets nothing, on every route', () => {
  // MCP knows the thread by its token alone: test/trust/mcp.test.ts.
  test.each(Object.entries(routes).filter(([, { id }]) => id !== 'mcp'))('%s', async (key, route) => {
    const [method, path] = key.split(' ') as [string, string];
    const answer = await otherThread.call<{ code: string }>(
      method,
      requestTo(path) + queryTo(path),
      bodies[route.id],
    );
    if (route.scope === 'open') expect(answer.status).toBe(200);
    else if (route.scope === 'operator') expect(answer.status).toBe(401);
    else expect([answer.status, refusalIn(answer.body).code], key).toEqual(refusalOf(path));
    expect(JSON.stringify(answer.body)).not.toContain('word word');
    expect((await ours.thread('secret')).last_seq).toBe(2);
  });

  test('nor does its reader tool read an output of this thread', async () => {
    const read = (id: string, api: Api) =>
      api.call('POST', `/v1/threads/${id}/tools/read_output`, { arguments: { id: outputId } });
    expect(JSON.stringify((await read('secret', ours)).body)).toContain('word word');
    expect(JSON.stringify((await read('other', otherThread)).body)).not.toContain('word word');
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
      .replace('{seq}', '1')
      .replace('{model}', 'x');
    const address = `10.0.0.${Object.keys(routes).indexOf(key)}`;
    for (const authorization of ['', `Basic ${stack.key}`, `Bearer ${stack.key}x`]) {
      const headers = { authorization, 'x-forwarded-for': address };
      const { status, body } = await ours.call(method, url, bodies[route.id], headers);
      if (route.scope === 'open') expect(status).toBe(200);
      else expect([status, refusalIn(body).code]).toEqual([401, 'unauthorized']);
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
