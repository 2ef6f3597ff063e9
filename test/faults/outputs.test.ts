import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { policyInput } from '@spillway/contracts';
import { openRuntime, readEnv, sweepOutputs, sweepStorage } from '@spillway/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../cli/run-program.js';
import { operatorPassword, scrape } from '../operations/scrape.js';
import { bigResult, isFull } from './fault-rig.js';

let stack: Stack;
let api: Api;
let rt: ReturnType<typeof openRuntime>;
const settings = () => ({
  DATABASE_URL: stack.databaseUrl,
  SPILLWAY_OUTPUTS: pathToFileURL(stack.outputsFolder).href,
  SPILLWAY_GRACE_MS: '1',
  SPILLWAY_ORPHAN_MS: '1',
  LOG_LEVEL: 'silent',
});
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  rt = openRuntime(readEnv(settings(), policyInput), 'sweeper');
});
afterAll(async () => {
  await rt?.close();
  await stack?.stop();
});

async function stored(thread: string, lines = 4_000) {
  const messages = bigResult('c', lines);
  const posted = await api.append(thread, ...messages);
  const { id } = posted.messages[1]!.output!;
  const [row] = await rowsOf<{ key: string }>(
    stack.databaseUrl,
    'SELECT blob_key AS key FROM outputs WHERE id = $1',
    [id],
  );
  return {
    id,
    path: join(stack.outputsFolder, row!.key),
    content: (messages[1] as { content: string }).content,
  };
}
const read = (id: string, query = '', headers: Record<string, string> = {}) =>
  api.call<string & { code: string }>('GET', `/v1/outputs/${id}/content${query}`, undefined, headers);
const expire = (...ids: string[]) =>
  rowsOf(stack.databaseUrl, `UPDATE outputs SET expires_at = now() - interval '1 s' WHERE id = ANY($1)`, [
    ids,
  ]);
const stateOf = async (id: string) =>
  (await rowsOf<{ state: string }>(stack.databaseUrl, 'SELECT state FROM outputs WHERE id = $1', [id]))[0]!
    .state;

describe('F36 a store that takes no writes refuses the append, and nothing is recorded', () => {
  test('its folder is gone and something else stands there', async () => {
    await api.append('unwritable', { role: 'user', content: 'before' });
    await mkdir(stack.outputsFolder, { recursive: true });
    await rename(stack.outputsFolder, `${stack.outputsFolder}.away`);
    await writeFile(stack.outputsFolder, 'a file');
    const body = { messages: bigResult('c') };
    const refused = await api.call<{ code: string }>('POST', '/v1/threads/unwritable/messages', body);
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    await rm(stack.outputsFolder);
    await rename(`${stack.outputsFolder}.away`, stack.outputsFolder);
    expect(await api.originals('unwritable')).toHaveLength(1);
    expect((await api.append('unwritable', ...body.messages)).messages[0]!.seq).toBe(2);
  });

  test.runIf(existsSync('/usr/bin/prlimit'))('the disk is full', async () => {
    const full = await stack.startApi();
    execFileSync('/usr/bin/prlimit', ['--pid', String(full.pid), '--fsize=8192:8192']);
    const there = apiOf({ url: full.url, key: stack.key });
    const refused = await there.call<{ code: string }>('POST', '/v1/threads/disk-full/messages', {
      messages: bigResult('c'),
    });
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect((await api.call('GET', '/v1/threads/disk-full')).status).toBe(404);
    await full.kill();
  });
});

test('F36 a store that takes no writes shows in /readyz, in a metric and to the doctor, from the start until it does', async () => {
  const folder = `${stack.outputsFolder}-of-another`;
  await writeFile(folder, 'a file');
  const other = await stack.startApi({
    SPILLWAY_OUTPUTS: pathToFileURL(folder).href,
    SPILLWAY_TIME_DIVISOR: '100',
    SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
  });
  const there = apiOf({ url: other.url, key: stack.key });
  const ready = () => there.call<{ status: string; outputs: string }>('GET', '/readyz');
  const isUp = async () => (await scrape(other.url)).value('spillway_storage_up');
  const doctor = async () => (await runCommand({ url: other.url, key: stack.key }, ['doctor'])).stdout;

  await until('it is noticed without an append', async () => (await ready()).body.outputs === 'down');
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'degraded', postgres: 'ok' } });
  expect(await isUp()).toBe(0);
  expect(await doctor()).toContain(
    'PROBLEM  output storage: The API cannot write to the storage of outputs.',
  );

  await rm(folder);
  await until('it is seen to work again', async () => (await ready()).body.outputs === 'ok');
  expect((await ready()).body.status).toBe('ready');
  expect(await isUp()).toBe(1);
  expect(await doctor()).toContain('output storage: The API writes to it.');
  await other.kill();
});

test('F37 a store wiped behind our back: 410, never a 500, and no sweep makes it worse', async () => {
  const one = await stored('wiped');
  await rm(one.path);
  expect(await read(one.id)).toMatchObject({ status: 410, body: { code: 'output_gone' } });
  expect((await api.call('GET', `/v1/outputs/${one.id}/grep?pattern=line`)).status).toBe(410);
  await sweepOutputs(rt);
  expect(await stateOf(one.id)).toBe('ready');
  expect((await api.context('wiped')).messages).toHaveLength(2);
  await writeFile(one.path, one.content);
  expect((await read(one.id)).body).toBe(one.content);
});

test('F38 a sweep while readers read: each gets the right bytes or a 410, and afterwards all get a 410', async () => {
  const one = await stored('read-while-swept', 20_000);
  const headers = { authorization: `Bearer ${stack.key}` };
  const begun = await Promise.all(
    Array.from({ length: 5 }, () => fetch(`${stack.url}/v1/outputs/${one.id}/content`, { headers })),
  );
  // A busy machine refuses some before it looks at the output.
  const served = () =>
    until('a reader is served', async () => {
      const answer = await read(one.id);
      return answer.body.code !== 'overloaded' && answer;
    });
  const readers = Array.from({ length: 50 }, served);
  await expire(one.id);
  await sweepOutputs(rt);
  for (const answer of await Promise.all(readers)) {
    if (answer.status === 200) expect(answer.body).toBe(one.content);
    else expect(answer).toMatchObject({ status: 410 });
  }
  // A read that began before the sweep ends as it began.
  for (const answer of begun) expect([answer.status, await answer.text()]).toEqual([200, one.content]);
  expect((await read(one.id)).status).toBe(410);
});

describe('F39 a sweeper killed in the middle: the next one finishes, and each output goes once', () => {
  test.each(['sweep.marked', 'sweep.removed'])('%s', async (point) => {
    const doomed = await Promise.all(['a', 'b', 'c'].map((name) => stored(`${point}-${name}`)));
    await expire(...doomed.map((one) => one.id));
    const sweeper = spawn(process.execPath, ['test/faults/sweep-once.mjs'], {
      env: { ...process.env, ...settings(), NODE_ENV: 'test', SPILLWAY_CRASH_AT: point },
      stdio: 'ignore',
    });
    const [, signal] = (await once(sweeper, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    for (const one of doomed) expect((await read(one.id)).status).toBe(410);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all([sweepOutputs(rt), sweepOutputs(rt)]);
    for (const one of doomed) {
      expect(await stateOf(one.id)).toBe('deleted');
      expect(existsSync(one.path)).toBe(false);
    }
  });
});

describe('F40 damaged bytes are never served', () => {
  test('one byte flipped: the whole and a range over it are refused, other ranges are right', async () => {
    const one = await stored('flipped', 20_000);
    const bytes = readFileSync(one.path);
    bytes[200_000]! ^= 1;
    writeFileSync(one.path, bytes);
    const good = await read(one.id, '', { range: 'bytes=0-99' });
    expect(good).toMatchObject({ status: 206, body: one.content.slice(0, 100) });
    expect((await read(one.id, '', { range: 'bytes=199990-200010' })).status).toBe(410);
    expect((await read(one.id)).status).toBe(410);
    expect(await stateOf(one.id)).toBe('corrupt');
  });

  test('cut short', async () => {
    const one = await stored('short');
    truncateSync(one.path, 1_000);
    const answer = await read(one.id).catch(() => undefined);
    expect(answer?.body === one.content).toBe(false);
    expect((await read(one.id)).status).toBe(410);
  });
});

test('a blob that cannot be removed stops no other removal, is retried later, and is reported', async () => {
  const other = apiOf({ ...stack, key: await stack.addProject('zzz') });
  const [stuck, free] = [await stored('stuck'), await stored('free')];
  const posted = await other.append('theirs', ...bigResult('c'));
  const theirs = posted.messages[1]!.output!.id;
  await stored('erased');
  await rm(stuck.path);
  await mkdir(join(stuck.path, 'not-empty'), { recursive: true });
  await api.call('DELETE', '/v1/threads/erased');
  await expire(stuck.id, free.id, theirs);
  await sweepOutputs(rt);
  await until('the bytes of the others are gone', async () => {
    await sweepOutputs(rt);
    return (await stateOf(free.id)) === 'deleted' && (await stateOf(theirs)) === 'deleted';
  });
  const [row] = await rowsOf<{ state: string; attempts: number; later: boolean }>(
    stack.databaseUrl,
    `SELECT state, removal_attempts AS attempts, delete_after > now() + interval '30 s' AS later
      FROM outputs WHERE id = $1`,
    [stuck.id],
  );
  expect(row).toEqual({ state: 'deleting', attempts: 1, later: true });
  const [erased] = await rowsOf<{ gone: boolean }>(
    stack.databaseUrl,
    `SELECT files_removed_at IS NOT NULL AS gone FROM threads WHERE id = 'erased'`,
  );
  expect(erased).toEqual({ gone: true });
  const attention = await api.call<{ concerns: { kind: string }[] }>('GET', '/v1/attention');
  expect(attention.body.concerns.map((concern) => concern.kind)).toContain('sweep_failed');
  await rm(stuck.path, { recursive: true });
  await rowsOf(stack.databaseUrl, 'UPDATE outputs SET delete_after = now() WHERE id = $1', [stuck.id]);
  await sweepOutputs(rt);
  expect(await stateOf(stuck.id)).toBe('deleted');
});

test('F41 a pin in the same instant as the sweep: pinned and kept, or gone and told so', async () => {
  const rounds = isFull ? 200 : 25;
  for (let i = 0; i < rounds; i++) {
    const one = await stored(`race-${i}`, 1_500);
    await expire(one.id);
    const [pinned] = await Promise.all([api.call('POST', `/v1/outputs/${one.id}/pin`), sweepOutputs(rt)]);
    const kept = (await read(one.id)).status === 200;
    if (pinned.status === 200) expect(kept).toBe(true);
    else expect([pinned.status, kept]).toEqual([410, false]);
  }
});

test(
  'F42 a process whose clock is days off stores and sweeps by the database’s clock',
  { tags: 'long' },
  async () => {
    const shifted = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href;
    for (const days of [-2, 2]) {
      const env = { NODE_OPTIONS: `--import ${shifted}`, SHIFT_MS: String(days * 86_400_000) };
      const odd = await stack.startApi(env);
      const there = apiOf({ url: odd.url, key: stack.key });
      const posted = await there.append(`shifted${days}`, ...bigResult('c'));
      const { id } = posted.messages[1]!.output!;
      const sweeper = spawn(process.execPath, ['test/faults/sweep-once.mjs'], {
        env: { ...process.env, ...settings(), ...env },
        stdio: 'ignore',
      });
      expect((await once(sweeper, 'exit'))[0]).toBe(0);
      expect((await read(id)).status).toBe(200);
      const [row] = await rowsOf<{ days: number }>(
        stack.databaseUrl,
        `SELECT (extract(epoch FROM expires_at - now()) / 86400)::float8 AS days FROM outputs WHERE id = $1`,
        [id],
      );
      expect(row!.days).toBeGreaterThan(29.9);
      expect(row!.days).toBeLessThan(30.1);
      await odd.kill();
    }
  },
);

test(
  'a sweep of storage by a process whose clock is days off removes no blob of today',
  { tags: 'long' },
  async () => {
    const { path } = await stored('of-today', 1_500);
    const day = 86_400_000;
    const written = {
      withoutRow: path.replace(/[^/]+$/, `${crypto.randomUUID()}.txt`),
      inProgress: join(stack.outputsFolder, '.tmp', crypto.randomUUID()),
      // A host whose clock is behind stamps what it writes with its own time.
      stampedBehind: path.replace(/[^/]+$/, `${crypto.randomUUID()}.txt`),
    };
    for (const one of Object.values(written)) writeFileSync(one, 'x');
    const stamp = (ago: number) =>
      utimesSync(written.stampedBehind, new Date(Date.now() - ago), new Date(Date.now() - ago));
    const sweepWith = async (env: Record<string, string>) => {
      const sweeper = spawn(process.execPath, ['test/faults/sweep-once.mjs', 'storage'], {
        env: { ...process.env, ...settings(), SPILLWAY_ORPHAN_MS: String(day), ...env },
        stdio: 'ignore',
      });
      expect((await once(sweeper, 'exit'))[0]).toBe(0);
    };
    const thereAfter = async (env: Record<string, string>) => {
      await sweepWith(env);
      return Object.entries(written).flatMap(([name, file]) => (existsSync(file) ? [name] : []));
    };
    const shifted = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href;
    const clockOff = (days: number) => ({
      NODE_OPTIONS: `--import ${shifted}`,
      SHIFT_MS: String(days * day),
    });
    stamp(2 * day);
    expect(await thereAfter(clockOff(-2))).toEqual(Object.keys(written));
    stamp(0);
    expect(await thereAfter(clockOff(2))).toEqual(Object.keys(written));
    expect(await thereAfter({ SPILLWAY_ORPHAN_MS: '1' })).toEqual([]);
  },
);

test('F49 a database older than its storage: nothing in the store is removed, and the sweep says why', async () => {
  await Promise.all(Array.from({ length: 25 }, (_, i) => stored(`newer-${i}`, 1_500)));
  const before = await rowsOf<{ key: string }>(
    stack.databaseUrl,
    `SELECT blob_key AS key FROM outputs WHERE state = 'ready'`,
  );
  await rowsOf(stack.databaseUrl, `DELETE FROM outputs WHERE state = 'ready'`);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await sweepStorage(rt);
  for (const { key } of before) expect(existsSync(join(stack.outputsFolder, key)), key).toBe(true);
  const queue = await api.call<{ sweeps: { refused: string | null }[] }>('GET', '/v1/queue');
  expect(queue.body.sweeps[0]!.refused).toMatch(/have no row/);
});
