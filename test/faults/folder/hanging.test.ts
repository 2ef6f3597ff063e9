// @module-tag long
import { execFileSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { apiOf, rowsOf, startStack, until, type AppProcess, type Stack } from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { bigResult, expectSound } from '../fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

/** While this named pipe exists, the folder of outputs hangs for processes with the variables below. */
const pipeOf = (of: Stack) => `${of.outputsFolder}.hangs`;
const hangingBy = (of: Stack, pipe: string) => ({
  NODE_OPTIONS: `--import ${new URL('hanging-folder.mjs', import.meta.url).href}`,
  HANG: pipe,
  HANG_BELOW: of.outputsFolder,
  SPILLWAY_TIME_DIVISOR: '30',
});

test('F81 a folder of outputs that hangs: 503 within half a minute, everything else goes on, and so do outputs afterwards', async () => {
  stack = await startStack({ workers: 0, redis: false });
  const byName = new URL(stack.databaseUrl);
  byName.hostname = 'localhost';
  const pipe = pipeOf(stack);
  const app = await stack.startApi({ ...hangingBy(stack, pipe), DATABASE_URL: byName.href });
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

test('F85 processes that stop while calls to the folder of outputs hang end in time, and say what they waited for', async () => {
  stack = await startStack({ workers: 0, redis: false });
  const pipe = pipeOf(stack);
  execFileSync('mkfifo', [pipe]);
  const app = await stack.startApi(hangingBy(stack, pipe));
  const worker = await stack.startWorker(hangingBy(stack, pipe));
  const api = apiOf({ url: app.url, key: stack.key });
  const outputs = async () => (await api.call<{ outputs: string }>('GET', '/readyz')).body.outputs;
  await until('it is noticed', async () => (await outputs()) === 'down', 60_000);
  const inProgress = api.append('hanging', ...bigResult('c')).catch((error: Error) => error);
  await api.append('small', { role: 'user', content: 'small' });

  let areGone = false;
  const stopping = Promise.all([app.stop(), worker.stop(), inProgress]).then(() => (areGone = true));
  await until('both have ended', () => Promise.resolve(areGone), 120_000);
  await stopping;
  // What a process wrote last may arrive after its end.
  const written = (of: AppProcess) => expect.poll(() => of.output(), { timeout: 10_000 });
  await written(app).toMatch(/"level":50.*"waitedFor":"requests in progress","storageCalls":[1-3]/);
  await written(worker).toMatch(/"level":50.*"storageCalls":[1-3]/);
});
