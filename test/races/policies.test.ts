// @module-tag long
import { apiOf, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockHolder } from './lock-holder.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ apis: 2, workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

interface View {
  policy: object;
  version: string;
  code: string;
}
const put = (url: string, policy: object, version: string) =>
  apiOf({ url, key: stack.key }).call<View>('PUT', '/v1/policy', policy, { 'if-match': `"${version}"` });
const versionNow = async () => (await api.call<View>('GET', '/v1/policy')).body.version;
const parked = async (id: string) =>
  (
    await rowsOf<{ parked: boolean }>(
      stack.databaseUrl,
      'SELECT park_reason IS NOT NULL AS parked FROM threads WHERE id = $1',
      [id],
    )
  )[0]!.parked;

test.each(['irreducible', 'rejected'])(
  'F73 an API killed while it changes the policy: the retry changes it, and threads that are parked are due',
  async (reason) => {
    await api.append(reason, { role: 'user', content: 'hello' });
    await rowsOf(
      stack.databaseUrl,
      'UPDATE threads SET park_reason = $1, needs_compaction = true, requested_at = now() WHERE id = $1',
      [reason],
    );
    const version = await versionNow();
    const doomed = await stack.startApi();
    const policy = { context: { trigger_ratio: 0.5 }, summary: { prompt: `For ${reason}.` } };
    const holder = await lockHolder(stack.databaseUrl);
    try {
      await holder.holdThread(reason);
      const first = put(doomed.url, policy, version).catch(() => 'lost');
      await holder.untilWaiting(1);
      await doomed.kill();
      expect(await first).toBe('lost');
      await holder.release();
    } finally {
      await holder.close();
    }
    expect(await put(stack.url, policy, version)).toMatchObject({ status: 200, body: { policy } });
    expect(await parked(reason)).toBe(false);
    // The answer may be lost after the change is done as well.
    expect(await put(stack.url, policy, version)).toMatchObject({ status: 200, body: { policy } });
    expect(await put(stack.url, { context: { trigger_ratio: 0.4 } }, version)).toMatchObject({
      status: 412,
      body: { code: 'policy_changed' },
    });
  },
);

test('a policy that another process changed binds the threads that are made from then on', async () => {
  const created = await api.call<{ key: string }>('POST', '/v1/keys', {
    name: 'agent',
    scopes: ['messages:write'],
  });
  const [first, second] = stack.apis.map(({ url }) => apiOf({ url, key: stack.key }));
  const agent = apiOf({ url: stack.apis[1]!.url, key: created.body.key });
  const day = 86_400_000;
  const change = (policy: object) => first!.call('PUT', '/v1/policy', policy);
  expect((await change({ outputs: { ttl_ms: 30 * day } })).status).toBe(200);
  // The second process knows the policy as it is now.
  await second!.createThread({ id: 'known' });
  expect((await change({ outputs: { ttl_ms: day }, locks: ['context.trigger_ratio'] })).status).toBe(200);
  const longer = { policy: { outputs: { ttl_ms: 30 * day } } };
  expect((await agent.call('POST', '/v1/threads', { id: 'longer', ...longer })).status).toBe(403);
  expect((await change({ outputs: { ttl_ms: day }, locks: ['context.reserve_ratio'] })).status).toBe(200);
  expect((await agent.call('PUT', '/v1/threads/longer', longer)).status).toBe(403);
  const locked = { policy: { context: { reserve_ratio: 0.2 } } };
  expect((await second!.call('POST', '/v1/threads', { id: 'locked', ...locked })).status).toBe(422);
  // Nor is anybody refused for what holds no more.
  expect((await change({})).status).toBe(200);
  expect((await second!.call('POST', '/v1/threads', { id: 'locked', ...locked })).status).toBe(201);
});
