// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { bigResult, expectSound, talk } from './fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

const fork = (url: string) =>
  apiOf({ url, key: stack.key }).call<Schemas['Thread']>('POST', '/v1/threads/t/fork', { id: 'f', at: 8 });

/** Rows of the fork, of every table that it writes to. */
const copied = () =>
  rowsOf<{ threads: number; messages: number; outputs: number }>(
    stack.databaseUrl,
    `SELECT count(*)::int AS threads,
       (SELECT count(*)::int FROM messages m WHERE m.thread_uid NOT IN (SELECT uid FROM threads WHERE id = 't')) AS messages,
       (SELECT count(*)::int FROM output_uses) AS outputs
     FROM threads WHERE id <> 't'`,
  );
const nothing = [{ threads: 0, messages: 0, outputs: 0 }];
const everything = [{ threads: 1, messages: 8, outputs: 1 }];

async function start(): Promise<void> {
  stack = await startStack({ workers: 0, redis: false });
  const api = apiOf(stack);
  await api.append('t', ...talk('t', 4), ...bigResult('b'), ...talk('u', 4));
}

test.each([
  [
    'F59 an API killed between COMMIT and the answer of a fork: the retry is told of the same fork',
    'fork.committed',
  ],
  [
    'F60 an API killed before COMMIT of a fork: there is no fork, and the retry makes it',
    'fork.before_commit',
  ],
])('%s', async (_name, point) => {
  await start();
  const doomed = await stack.startApi({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: point });
  await expect(fork(doomed.url)).rejects.toThrow();
  expect((await doomed.exited).signal).toBe('SIGKILL');
  const isDone = point === 'fork.committed';
  expect(await copied()).toEqual(isDone ? everything : nothing);
  expect((await fork(stack.url)).status).toBe(isDone ? 200 : 201);
  expect(await copied()).toEqual(everything);
  await expectSound(stack);
});

test('F61 an API or its backend of Postgres killed while a fork is made: all of it or nothing', async () => {
  await start();
  // The statement waits in its middle: it has copied messages, and writes the use of the output next.
  await rowsOf(
    stack.databaseUrl,
    `CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_advisory_xact_lock(61); RETURN NEW; END $$`,
  );
  await rowsOf(
    stack.databaseUrl,
    'CREATE TRIGGER wait BEFORE INSERT ON output_uses FOR EACH ROW EXECUTE FUNCTION wait_for_test()',
  );
  const waiting = () =>
    rowsOf<{ pid: number }>(
      stack.databaseUrl,
      `SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
    );
  for (const victim of ['api', 'backend'] as const) {
    const doomed = victim === 'api' ? await stack.startApi() : stack.api;
    const blocker = new pg.Client(stack.databaseUrl);
    await blocker.connect();
    await blocker.query('SELECT pg_advisory_lock(61)');
    const forking = fork(doomed.url).catch((error: unknown) => error);
    await until('the fork waits', async () => (await waiting()).length === 1);
    expect(await copied()).toEqual(nothing);
    if (victim === 'api') await doomed.kill();
    else await rowsOf(stack.databaseUrl, 'SELECT pg_terminate_backend($1)', [(await waiting())[0]!.pid]);
    await blocker.query('SELECT pg_advisory_unlock(61)');
    await blocker.end();
    await forking;
    await until('nothing runs', async () => (await waiting()).length === 0);
    // A backend finishes what it runs, whoever asked; one that is killed leaves nothing.
    if (victim === 'backend') expect(await copied()).toEqual(nothing);
    else expect([nothing, everything]).toContainEqual(await copied());
    await until('it is there', async () => (await fork(stack.url)).status < 300);
    expect(await copied()).toEqual(everything);
    await rowsOf(stack.databaseUrl, `DELETE FROM output_uses`);
    await rowsOf(
      stack.databaseUrl,
      `DELETE FROM messages WHERE thread_uid <> (SELECT uid FROM threads WHERE id = 't')`,
    );
    await rowsOf(stack.databaseUrl, `DELETE FROM threads WHERE id = 'f'`);
  }
  await expectSound(stack);
});
