import { policyInput } from '@spillway/contracts';
import {
  authenticator,
  bootstrap,
  checkReadiness,
  openRuntime,
  readEnv,
  startSession,
} from '@spillway/service';
import { asProject } from '@spillway/store';
import { freshDatabase, rowsOf } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const key = `sw_${'0123456789abcdef'.repeat(2)}`;
let rt: ReturnType<typeof openRuntime>;
let statements = 0;
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const opened = openRuntime(readEnv({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' }, policyInput), 'test');
  const { query } = opened.store;
  // The real store, with a count of what it is asked.
  const store: typeof opened.store = {
    ...opened.store,
    query: (statement, values) => {
      statements++;
      return query(statement, values);
    },
  };
  rt = { ...opened, store };
  await bootstrap(rt, key);
});
afterAll(() => rt?.close());

test('an address that guesses keys is refused without asking the database, and a good key goes on', async () => {
  const authenticate = authenticator(rt);
  await authenticate(key, '192.0.2.1');
  statements = 0;
  const guesses = await Promise.allSettled(
    Array.from({ length: 300 }, (_, n) => authenticate(`sw_guess_${n}`, '192.0.2.1')),
  );
  const codes = guesses.map((guess) =>
    guess.status === 'rejected' ? (guess.reason as { code: string }).code : '',
  );
  expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(200);
  expect(statements).toBe(100);
  expect((await authenticate(key, '192.0.2.1')).scopes).toEqual(['admin']);
  // Another address may still try.
  await expect(authenticate('sw_guess', '192.0.2.2')).rejects.toMatchObject({ code: 'unauthorized' });
});

test('addresses of one IPv6 network guess together', async () => {
  const authenticate = authenticator(rt);
  const guesses = await Promise.allSettled(
    Array.from({ length: 120 }, (_, n) => authenticate(`sw_other_${n}`, `2001:db8::${n.toString(16)}`)),
  );
  const limited = guesses.filter(
    (guess) => guess.status === 'rejected' && (guess.reason as { code: string }).code === 'too_many_requests',
  );
  expect(limited).toHaveLength(20);
});

test('requests with one key at the same time share one look-up', async () => {
  const authenticate = authenticator(rt);
  statements = 0;
  await Promise.all(Array.from({ length: 200 }, () => authenticate(key, '192.0.2.3')));
  // The look-up, and the time of the last use.
  expect(statements).toBeLessThanOrEqual(2);
});

test('however often readiness is asked for, the database is asked once a second', async () => {
  statements = 0;
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 100 }, () => checkReadiness(rt)));
  expect(answers[0]).toMatchObject({ postgres: 'ok' });
  expect(statements).toBe(1);
  for (let n = 0; n < 100; n++) expect(await checkReadiness(rt)).toBe(answers[0]);
  // One more for each second that the calls themselves took.
  expect(statements).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 1_000));
});

test('a key has so many live sessions, those idle for longest end, and it begins so many in ten minutes', async () => {
  const admin = await authenticator(rt)(key, '192.0.2.4');
  const begin = () => asProject(admin.projectId, `key:${admin.keyId}`, () => startSession(rt, admin));
  const first = await begin();
  for (let n = 0; n < 49; n++) await begin();
  const isLive = (token: string) =>
    authenticator(rt)(token, '192.0.2.4').then(
      () => true,
      () => false,
    );
  // Asking is a use, so the second one is idle for longest from now on.
  expect(await isLive(first.token)).toBe(true);
  for (let n = 0; n < 70; n++) await begin();
  await expect(begin()).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await isLive(first.token)).toBe(false);
  const [row] = await rowsOf<{ live: number; all: number }>(
    databaseUrl,
    `SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS live, count(*)::int AS all FROM sessions`,
  );
  expect(row).toEqual({ live: 50, all: 120 });
});

describe('the bootstrap key', () => {
  const other = `sw_${'fedcba9876543210'.repeat(2)}`;
  const accepted = async (credential: string) =>
    authenticator(rt)(credential, '192.0.2.5').then(
      () => true,
      () => false,
    );

  test('that was changed revokes the one before, and going back does not bring that to life', async () => {
    await bootstrap(rt, key);
    expect(await accepted(key)).toBe(true);
    await bootstrap(rt, other);
    expect([await accepted(key), await accepted(other)]).toEqual([false, true]);
    await bootstrap(rt, key);
    expect([await accepted(key), await accepted(other)]).toEqual([false, true]);
  });

  test('that a person chose is not shown in part', async () => {
    const chosen = 'correct horse battery staple and more';
    await bootstrap(rt, chosen);
    const [row] = await rowsOf<{ prefix: string }>(
      databaseUrl,
      'SELECT prefix FROM api_keys ORDER BY created_at DESC LIMIT 1',
    );
    expect(row).toEqual({ prefix: 'custom' });
    // A key that was made at random is told apart by its beginning.
    await bootstrap(rt, `sw_${'0a1b2c3d4e5f6789'.repeat(2)}`);
    const prefixes = await rowsOf<{ prefix: string }>(databaseUrl, 'SELECT prefix FROM api_keys');
    expect(prefixes).toContainEqual({ prefix: 'sw_0a1b2' });
  });

  test.each([
    ['short', 'SPILLWAY_BOOTSTRAP_KEY must have at least 32 characters and has 5'],
    [
      'ab'.repeat(20),
      'SPILLWAY_BOOTSTRAP_KEY must be random: it has 2 different characters, and needs at least 8',
    ],
  ])('%s is refused by its length or its sameness', (weak, message) => {
    const env = { DATABASE_URL: databaseUrl, SPILLWAY_BOOTSTRAP_KEY: weak };
    expect(() => readEnv(env, policyInput)).toThrow(message);
  });
});
