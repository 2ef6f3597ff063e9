import { migrate } from '@spillway/store';
import { databaseOf, rowsOf, until } from '@spillway/testing';
import pg from 'pg';
import { expect, test } from 'vitest';

/** The next one alters the table of threads, which every request reads. */
const older = '20270101000000_sweep_indexes';
const newer = '20270102000000_request_tokens';

/** A transaction that read the table of threads and stays open, as a dump does. */
async function longTransaction(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT count(*) FROM threads');
  return client;
}

test('F78 a long transaction during an upgrade: requests go on, and the migration comes after it', async () => {
  const url = await databaseOf(older);
  const dump = await longTransaction(url);
  const waiting: string[] = [];
  let migrated: string[] | undefined;
  const migrating = migrate(url, { onWait: (name) => waiting.push(name) }).then(
    (names) => (migrated = names),
  );
  const blocked = 'SELECT FROM pg_locks WHERE NOT granted';
  await until('the migration waits', async () => (await rowsOf(url, blocked)).length > 0);
  const request = `SET statement_timeout = 4000; INSERT INTO projects (id, name) VALUES (gen_random_uuid(), gen_random_uuid()::text);
    SELECT count(*) FROM threads`;
  for (const end = performance.now() + 8_000; performance.now() < end;) await rowsOf(url, request);
  expect(migrated).toBeUndefined();
  await dump.end();
  await migrating;
  expect(migrated).toContain(newer);
  expect(waiting).toEqual([newer]);
});

test('a migration that never gets its locks changes nothing, and says what to end', async () => {
  const url = await databaseOf(older);
  const dump = await longTransaction(url);
  await expect(migrate(url, { waitMs: 1 })).rejects.toThrow(
    `Migration ${newer} got no lock on its tables, because another transaction has held one all the time. ` +
      'End the session in pg_stat_activity with the oldest xact_start, and run the migrations again.',
  );
  await dump.end();
  expect(await migrate(url)).toContain(newer);
});
