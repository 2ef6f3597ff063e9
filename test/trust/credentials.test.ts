import { policyInput } from '@spillway/contracts';
import { authenticator, bootstrap, checkReadiness, openRuntime, readEnv } from '@spillway/service';
import { freshDatabase } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const key = `sw_${'0123456789abcdef'.repeat(2)}`;
let rt: ReturnType<typeof openRuntime>;
let statements = 0;
beforeAll(async () => {
  const opened = openRuntime(
    readEnv({ DATABASE_URL: await freshDatabase(), LOG_LEVEL: 'fatal' }, policyInput),
    'test',
  );
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
  const answers = await Promise.all(Array.from({ length: 100 }, () => checkReadiness(rt)));
  expect(answers[0]).toMatchObject({ postgres: 'ok' });
  expect(statements).toBe(1);
});
