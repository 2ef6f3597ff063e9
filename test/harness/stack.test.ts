import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ apis: 2, workers: 1, proxied: true, ownPostgres: true, durable: true });
});
afterAll(() => stack?.stop());

const say = (text: string) => ({ role: 'user', content: text, id: text });
const contents = async () => {
  const rows = await rowsOf<{ body: string }>(stack.databaseUrl, 'SELECT body FROM messages ORDER BY seq');
  return rows.map(({ body }) => (JSON.parse(body) as { content: string }).content);
};
const ready = (app: { url: string }) =>
  until(`${app.url} is ready`, async () => (await fetch(`${app.url}/readyz`)).ok);
/** The API keeps its answer for a second, so that nobody can make it ask the database without a key. */
const notReady = (app: { url: string }) =>
  until(`${app.url} is not ready`, async () => (await fetch(`${app.url}/readyz`)).status === 503);

test('two APIs serve one project', async () => {
  const [one, two] = stack.apis.map(({ url }) => apiOf({ url, key: stack.key }));
  await one!.append('t', say('a'));
  await two!.append('t', say('b'));
  expect(await contents()).toEqual(['a', 'b']);
});

test.each(['kill', 'immediate', 'fast'] as const)(
  'Postgres goes down (%s), keeps what it had',
  async (how) => {
    await stack.postgres!.down(how);
    await notReady(stack.api);
    await stack.postgres!.start();
    await ready(stack.api);
    expect(await contents()).toEqual(['a', 'b']);
  },
);

test('a paused Postgres answers nobody until it is resumed', async () => {
  await stack.postgres!.pause();
  const asked = contents();
  const first = await Promise.race([
    asked,
    new Promise((resolve) => setTimeout(() => resolve('silence'), 500)),
  ]);
  expect(first).toBe('silence');
  stack.postgres!.resume();
  expect(await asked).toEqual(['a', 'b']);
});

test('Redis is killed, comes back empty at its port, and is paused', async () => {
  const redis = stack.redis!;
  await redis.ask('SET mine 1');
  await redis.kill();
  await redis.start();
  expect(await redis.ask('GET mine')).toContain('$-1');
  await redis.pause();
  redis.resume();
  expect(await redis.ask('PING')).toContain('+PONG');
});

test('processes go through the proxies', async () => {
  const { postgres, redis } = stack.proxies!;
  await until('both are in use', () =>
    Promise.resolve(postgres.connections() > 0 && redis!.connections() > 0),
  );
  await postgres.set('refuse');
  postgres.dropConnections();
  await notReady(stack.api);
  await postgres.set('pass');
  await ready(stack.api);
  expect((await fetch(`${stack.api.url}/readyz`)).status).toBe(200);
});

test('an API that was killed starts again at its port, with settings of its own', async () => {
  const [api] = stack.apis;
  await api!.kill();
  expect(await api!.exited).toEqual({ code: null, signal: 'SIGKILL' });
  const next = await stack.restart(api!, { LOG_LEVEL: 'error' });
  expect(next.url).toBe(api!.url);
  expect(stack.apis[0]).toBe(next);
  await ready(next);
});

test('a process that still runs is not started again', async () => {
  await expect(stack.restart(stack.apis[1]!)).rejects.toThrow('still runs');
});

test('a paused process is silent and goes on where it was', async () => {
  const api = stack.apis[1]!;
  api.pause();
  const asked = fetch(`${api.url}/healthz`).then((response) => response.status);
  const first = await Promise.race([
    asked,
    new Promise((resolve) => setTimeout(() => resolve('silence'), 500)),
  ]);
  expect(first).toBe('silence');
  api.resume();
  expect(await asked).toBe(200);
});
