import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack();
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const server = () => process.env.SPILLWAY_TEST_POSTGRES!;
const database = () => new URL(stack.databaseUrl).pathname.slice(1);

test('F3 backends killed under load lose nothing that was acknowledged, and the processes live on', async () => {
  const acked = new Map<string, number>();
  let stop = false;
  const writer = async (name: string) => {
    for (let i = 0; !stop; i++) {
      const id = `${name}-${i}`;
      const body = { messages: [{ role: 'user', content: id, id }] };
      // A client retries with the same id until it has an answer.
      const answer = await until(`an answer to ${id}`, async () => {
        const tried = await api.call<{ messages: { seq: number }[] }>(
          'POST',
          '/v1/threads/hot/messages',
          body,
        );
        if (tried.status >= 500) expect(tried.status).toBe(503);
        return tried.status < 300 && tried;
      });
      acked.set(id, answer.body.messages[0]!.seq);
    }
  };
  const writers = Promise.all(['a', 'b', 'c', 'd'].map(writer));
  // A slow machine acknowledges little between two kills; then there are more of them.
  for (let round = 0; round < 8 || (acked.size <= 16 && round < 120); round++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await rowsOf(server(), 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      database(),
    ]);
  }
  stop = true;
  await writers;
  expect(acked.size).toBeGreaterThan(16);
  const stored = await api.originals('hot');
  for (const [id, seq] of acked) expect(stored[seq - 1]!.content).toBe(id);
  expect(stored).toHaveLength(acked.size);
});

test('F6 without its database every route answers 503 with Retry-After, and recovers', async () => {
  await rowsOf(server(), `ALTER DATABASE ${database()} ALLOW_CONNECTIONS false`);
  await rowsOf(server(), 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    database(),
  ]);
  const say = { messages: [{ role: 'user', content: 'x' }] };
  for (const [method, path, body] of [
    ['POST', '/v1/threads/hot/messages', say],
    ['POST', '/v1/threads', {}],
    ['GET', '/v1/threads', undefined],
    ['GET', '/v1/threads/hot/context', undefined],
    ['GET', '/v1/threads/hot/messages', undefined],
    ['GET', '/v1/threads/hot/summaries', undefined],
    ['GET', '/v1/policy', undefined],
  ] as const) {
    const answer = await api.call<{ code: string; detail: string }>(method, path, body);
    expect(answer, `${method} ${path}`).toMatchObject({
      status: 503,
      body: { code: 'database_unavailable' },
    });
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  await until('it is not ready', async () => (await api.call('GET', '/readyz')).status === 503);
  expect((await api.call('GET', '/healthz')).status).toBe(200);
  await rowsOf(server(), `ALTER DATABASE ${database()} ALLOW_CONNECTIONS true`);
  await until('it is ready again', async () => (await api.call('GET', '/readyz')).status === 200);
  expect((await api.call('POST', '/v1/threads/hot/messages', say)).status).toBe(201);
});
