// @module-tag long
import { execFileSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { bigResult, expectSound } from '../fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

test('F81 a folder of outputs that hangs: 503 within half a minute, everything else goes on, and so do outputs afterwards', async () => {
  stack = await startStack({ workers: 0, redis: false });
  const pipe = `${stack.outputsFolder}.hangs`;
  const byName = new URL(stack.databaseUrl);
  byName.hostname = 'localhost';
  const app = await stack.startApi({
    NODE_OPTIONS: `--import ${new URL('hanging-folder.mjs', import.meta.url).href}`,
    HANG: pipe,
    HANG_BELOW: stack.outputsFolder,
    DATABASE_URL: byName.href,
    SPILLWAY_TIME_DIVISOR: '30',
  });
  const api = apiOf({ url: app.url, key: stack.key });
  const before = (await api.append('before', ...bigResult('c'))).messages[1]!.output!;
  // What never gets an answer fails once the API is stopped.
  const call = (method: string, path: string, body?: object) =>
    api.call<{ code: string }>(method, path, body).catch((error: Error) => error);
  const post = (thread: string) =>
    call('POST', `/v1/threads/${thread}/messages`, { messages: bigResult('c') });
  const read = () => call('GET', `/v1/outputs/${before.id}/content`);
  const outputs = async () => (await api.call<{ outputs: string }>('GET', '/readyz')).body.outputs;
  const refused = { status: 503, body: { code: 'storage_unavailable' } };

  execFileSync('mkfifo', [pipe]);
  const hanging = Array.from({ length: 8 }, (_, i) => post(`hanging-${i}`));
  const reading = read();
  await until('it is noticed', async () => (await outputs()) === 'down', 60_000);

  // Names are resolved by the same threads of the process: one of them stays free for a new connection.
  await rowsOf(
    stack.databaseUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await until('Postgres is reached anew', async () => {
    const small = { messages: [{ id: 'small', role: 'user', content: 'small' }] };
    return (await api.call('POST', '/v1/threads/small/messages', small)).status < 300;
  });
  expect((await api.context('small')).messages).toHaveLength(1);

  for (const answer of await Promise.all(hanging)) {
    expect(answer).toMatchObject(refused);
    expect('headers' in answer && answer.headers.get('retry-after')).toBeTruthy();
  }
  expect(await reading).toMatchObject(refused);
  expect(await post('later')).toMatchObject(refused);
  expect(
    await rowsOf(stack.databaseUrl, `SELECT FROM threads WHERE id LIKE 'hanging%' OR id = 'later'`),
  ).toEqual([]);

  await rename(pipe, `${pipe}.over`);
  await writeFile(`${pipe}.over`, '');
  await until('it takes writes again', async () => (await outputs()) === 'ok');
  expect(await post('later')).toMatchObject({ status: 201 });
  expect(await read()).toMatchObject({ status: 200 });
  await expectSound(stack);
});
