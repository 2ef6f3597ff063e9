// @module-tag long
import type { Schemas } from '@spillway/client';
import {
  apiOf,
  freshDatabase,
  rowsOf,
  startStack,
  until,
  type Api,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';
import { runCommand, runProgram, type Server } from './run-program.js';

interface Report {
  ok: boolean;
  problems: number;
  warnings: number;
  findings: { check: string; state: string; finding: string; why?: string; next?: string }[];
}

let stack: Stack;
let stub: StubLlm;
let api: Api;
let here: Record<string, string>;
stackWithModel({ env: { SPILLWAY_POLL_MS: '300' } }, (on) => {
  ({ stub, stack, api } = on);
  here = { DATABASE_URL: stack.databaseUrl, REDIS_URL: stack.redis!.url };
});

/** What the doctor finds. Exit code, sums and findings must agree. */
async function examine(
  server: Partial<Server> = {},
  env: Record<string, string> = {},
  run = runCommand,
): Promise<Report> {
  const { code, stdout, stderr } = await run({ ...stack, ...server }, ['doctor', '--json'], env);
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as Report;
  const count = (state: string) => report.findings.filter((finding) => finding.state === state).length;
  expect(report).toMatchObject({ problems: count('problem'), warnings: count('warning') });
  expect({ ok: report.ok, code }).toEqual(
    report.problems === 0 ? { ok: true, code: 0 } : { ok: false, code: 1 },
  );
  for (const { state, why, next } of report.findings)
    if (state === 'problem' || state === 'warning') expect([why, next].every((text) => text)).toBe(true);
  return report;
}

const problemsOf = ({ findings }: Report) =>
  findings.filter(({ state }) => state === 'problem').map(({ check, finding }) => `${check}: ${finding}`);
const stateOf = ({ findings }: Report, check: string) => findings.find((one) => one.check === check)?.state;

test('a server where nothing is wrong, from the machine on which it runs', async () => {
  const report = await examine({}, here);
  expect(report.findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(report.findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      ...[
        'server',
        'clock',
        'postgres',
        'redis',
        'key',
        'key expiry',
        'workers',
        'model',
        'threads',
        'version',
      ],
      ...['postgres here', 'postgres clock', 'postgres connections', 'migrations'],
      ...['redis here', 'redis memory'],
    ]),
  );
  const { code, stdout } = await runCommand(stack, ['doctor'], here);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok +server: http.* answers, in \d+ ms\.\n/);
  expect(stdout).toMatch(/\n\nNothing is wrong\.\n$/);
});

test('what it did not look at is named', async () => {
  const made = await api.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
    name: 'writer',
    scopes: ['messages:write'],
  });
  const report = await examine({ key: made.body.key });
  expect(report.ok).toBe(true);
  for (const check of ['workers', 'version', 'key expiry', 'postgres here', 'redis here'])
    expect(stateOf(report, check), check).toBe('not_checked');
  const missing = report.findings.filter(({ check }) => check === 'scopes').map(({ finding }) => finding);
  expect(missing).toEqual(['The key lacks the scope context:read.', 'The key lacks the scope outputs:read.']);
});

test('a token for one thread is a valid key', async () => {
  await api.createThread({ id: 'one' });
  const { body } = await api.call<{ token: string }>('POST', '/v1/threads/one/tokens', {
    scopes: ['context:read'],
  });
  const report = await examine({ key: body.token });
  expect(problemsOf(report)).toEqual([]);
  expect(stateOf(report, 'key')).toBe('ok');
});

test('a key that expires soon', async () => {
  const made = await api.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
    name: 'short',
    scopes: ['admin'],
    expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  });
  const report = await examine({ key: made.body.key });
  expect(stateOf(report, 'key expiry')).toBe('warning');
});

test('a last admin key that expires soon', async () => {
  const key = await stack.addProject('last-admin-key');
  const at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const hasExpiry = `UPDATE api_keys k SET expires_at = $1 FROM projects p
    WHERE p.id = k.project_id AND p.name = 'last-admin-key' RETURNING k.id`;
  await rowsOf(stack.databaseUrl, hasExpiry, [at]);
  const report = await examine({ key });
  expect(problemsOf(report)).toEqual([
    `keys: The last admin key of the project is about to expire, or has expired. Reason: expires at ${at}.`,
  ]);
});

test.each([
  ['a wrong key', { key: 'sw_wrong' }, /^key: The server refuses the key/],
  ['no key', { key: '' }, /^settings: SPILLWAY_KEY is not set/],
  ['no address', { url: 'spillway' }, /^settings: SPILLWAY_URL \(spillway\) must be an address/],
  ['no server', { url: 'http://127.0.0.1:2' }, /^server: .* cannot be reached: .*ECONNREFUSED/],
  [
    'an unknown host',
    { url: 'http://spillway.invalid' },
    /^server: .* cannot be reached: .*spillway\.invalid/,
  ],
])('%s', async (_what, settings, expected) => {
  const report = await examine(settings);
  expect(problemsOf(report)).toEqual([expect.stringMatching(expected) as string]);
});

test('another program at the address', async () => {
  const other: HttpServer = createServer((_request, response) => response.end('<html>Hello</html>'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const report = await examine({ url: `http://127.0.0.1:${port}` });
  expect(problemsOf(report)).toEqual([expect.stringContaining('not as Spillway does') as string]);
  other.close();
});

test.each([
  [60_000, 'warning', /behind this one/],
  [-60_000, 'warning', /ahead of this one/],
  [-400_000, 'problem', /ahead of this one/],
])('a clock that is off by %d ms', async (ms, state, words) => {
  const shifted = fileURLToPath(new URL('../faults/shifted-clock.mjs', import.meta.url));
  const env = { NODE_OPTIONS: `--import=${shifted}`, SHIFT_MS: String(ms) };
  // The clock of a process is shifted when it starts.
  const report = await examine({}, { ...env, ...here }, runProgram);
  const clock = report.findings.find(({ check }) => check === 'clock');
  expect(clock).toMatchObject({ state, finding: expect.stringMatching(words) as string });
  expect([stateOf(report, 'postgres clock'), stateOf(report, 'postgres here')]).toEqual(['warning', 'ok']);
});

test.each([
  ['a database without tables', () => freshEmptyDatabase(), /no tables of Spillway/],
  ['a migration that was not finished', () => brokenMigration(), /was begun and not finished/],
  ['a database that does not exist', () => withDatabase('nowhere'), /cannot be used: .*nowhere/],
  ['no Postgres', () => 'postgres://x:y@127.0.0.1:9/z', /cannot be used: .*ECONNREFUSED/],
])('%s', async (_what, make, expected) => {
  const report = await examine({}, { DATABASE_URL: await make() });
  expect(problemsOf(report)).toEqual([expect.stringMatching(expected) as string]);
  // The API applies no migrations: a program of its own does.
  for (const { check, next } of report.findings)
    if (check === 'migrations' && next !== undefined) expect(next).toMatch(/docker compose run --rm migrate/);
});

const withDatabase = (name: string): string => {
  const url = new URL(stack.databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
};

async function freshEmptyDatabase(): Promise<string> {
  await rowsOf(stack.databaseUrl, 'CREATE DATABASE doctor_empty');
  return withDatabase('doctor_empty');
}

async function brokenMigration(): Promise<string> {
  const url = await freshDatabase();
  await rowsOf(
    url,
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ('x', 'x', '29990101000000_broken', now())",
  );
  return url;
}

test('a Redis that is full, one that evicts keys, and one that is not there', async () => {
  const redis = stack.redis!;
  await redis.ask('CONFIG SET maxmemory-policy allkeys-lru');
  expect(problemsOf(await examine({}, here))).toEqual(['redis memory: maxmemory-policy is allkeys-lru.']);
  await redis.ask('CONFIG SET maxmemory-policy noeviction');
  await redis.ask('CONFIG SET maxmemory 1mb');
  await until('it is noticed', async () =>
    problemsOf(await examine({}, here)).includes('redis: Redis takes no writes.'),
  );
  await redis.ask('CONFIG SET maxmemory 0');
  await until('it has room', async () => problemsOf(await examine({}, here)).length === 0);
  const other = await examine({}, { REDIS_URL: 'redis://127.0.0.1:9' });
  expect(problemsOf(other)).toEqual([expect.stringMatching(/^redis here: .*ECONNREFUSED/) as string]);
});

test('a model that fails, and threads that are parked', async () => {
  const plain = stub.answer;
  stub.answer = () => ({ status: 500 });
  const small = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
  await api.createThread({ id: 'waits', policy: small });
  await api.append('waits', ...turns(20));
  const failing = await until('the outage shows', async () => {
    const report = await examine();
    return report.findings.some(({ check, state }) => check === 'model' && state === 'problem') && report;
  });
  const model = failing.findings.find(({ check }) => check === 'model')!;
  expect(model.finding).toMatch(/^The last (call|\d+ calls) failed, since \d{4}/);
  expect(model.next).toContain('next try is at');
  stub.answer = plain;

  await api.createThread({
    id: 'stuck',
    system: 'word '.repeat(6_000),
    policy: { context: { context_window: 8_000 } },
  });
  await api.append('stuck', { role: 'user', content: 'hello' });
  const parked = await until('the parked thread shows', async () => {
    const report = await examine();
    return problemsOf(report).find((text) => text.includes('stuck'));
  });
  expect(parked).toMatch(/^threads: 1 thread without a context.*Reason: irreducible\. For example stuck\.$/);
});

test('a model that refuses the key: nothing is tried again, and what to do', async () => {
  const key = await stack.addProject('wrong-key');
  const other = apiOf({ url: stack.url, key });
  const plain = stub.answer;
  stub.answer = () => ({ status: 401 });
  await other.createThread({
    id: 'refused',
    policy: { context: { context_window: 8_000, trigger_ratio: 0.3 } },
  });
  await other.append('refused', ...turns(20));
  await until('it is parked', async () => (await other.thread('refused')).compaction.state === 'parked');
  stub.answer = plain;
  const model = (await examine({ key })).findings.find(({ check }) => check === 'model')!;
  expect(model.why).toBe(
    'Parked until a person acts: 1 thread. Nothing is tried again by itself, and contexts leave out old messages once they are full.',
  );
  expect(model.next).toMatch(/^Correct the key.*start the workers again, then `Retry all`/);
});

test('threads whose context window nobody chose', async () => {
  const key = await stack.addProject('unknown-models');
  const other = apiOf({ url: stack.url, key });
  await other.createThread({ id: 'acme', model: 'acme-chat-7' });
  await other.append('acme', { role: 'user', content: 'hello' });
  expect(problemsOf(await examine({ key }))).toEqual([
    'models: 1 thread with a context window of 8,192 tokens that nobody chose. Reason: unknown model acme-chat-7. For example acme.',
  ]);
});

const workersOf = ({ findings }: Report) => findings.find(({ check }) => check === 'workers')!;

test('a service that is set up without Redis has no problem', async () => {
  const without = await startStack({ redis: false });
  try {
    const report = await examine(without);
    expect(problemsOf(report)).toEqual([]);
    expect(stateOf(report, 'redis')).toBe('not_checked');
    expect(workersOf(report)).toMatchObject({
      state: 'not_checked',
      finding: expect.stringMatching(/^Without Redis workers do not announce themselves/) as string,
    });
  } finally {
    await without.stop();
  }
});

test('a thread that no worker takes, of a service that is set up without Redis', async () => {
  const without = await startStack({ redis: false, workers: 0 });
  try {
    await apiOf(without).createThread({ id: 'waits', model: 'gpt-4o' });
    await apiOf(without).append('waits', { role: 'user', content: 'Hello.' });
    await rowsOf(
      without.databaseUrl,
      `UPDATE threads SET needs_compaction = true, requested_at = now() - interval '10 min' WHERE id = 'waits'`,
    );
    const report = await examine(without);
    expect(problemsOf(report)).toEqual([
      expect.stringMatching(/^workers: No worker takes the thread that has been due for 6\d\d s/) as string,
      expect.stringMatching(/^threads: 1 thread due for too long/) as string,
    ]);
    expect(workersOf(report).next).toContain('docker compose up -d worker');
    await without.startWorker();
    await until('the worker took it', async () => stateOf(await examine(without), 'workers') !== 'problem');
  } finally {
    await without.stop();
  }
});

test('no worker, then no Redis, then no Postgres for the API', async () => {
  await stack.workers[0]!.stop();
  const idle = await until('the worker is missing', async () => {
    const report = await examine();
    return report.findings.some(({ check, state }) => check === 'workers' && state === 'problem') && report;
  });
  expect(workersOf(idle).next).toContain('docker compose up -d worker');

  const migrated = (at: string) =>
    rowsOf(stack.databaseUrl, `UPDATE _prisma_migrations SET rolled_back_at = ${at}`);
  await migrated('now()');
  const old = await until('the tables are too old', async () => {
    const now = await examine();
    return stateOf(now, 'postgres') === 'problem' && now;
  });
  expect(old.findings.find(({ check }) => check === 'postgres')!.next).toContain('run --rm migrate');
  await migrated('NULL');
  await until('they are new enough', async () => stateOf(await examine(), 'postgres') === 'ok');

  await stack.redis!.stop();
  const report = await until('Redis is down', async () => {
    const now = await examine({}, here);
    return stateOf(now, 'redis') === 'problem' && now;
  });
  expect(stateOf(report, 'redis here')).toBe('problem');
  expect(stateOf(report, 'workers')).toBe('not_checked');
  expect(stateOf(report, 'postgres')).toBe('ok');
});
