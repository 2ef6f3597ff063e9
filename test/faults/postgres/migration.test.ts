// @module-tag long
import { migrate } from '@spillway/store';
import { databaseOf, rowsOf, until } from '@spillway/testing';
import { execFile } from 'node:child_process';
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
  const migrating = migrate(url, { onWait: (what) => waiting.push(what) }).then(
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
  expect(waiting).toEqual([`${newer} waits for a transaction that holds its tables; requests go on`]);
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

test('F78 a long transaction while an index is built concurrently: the migration gives up in the end, and the next run builds it', async () => {
  const url = await databaseOf('20270117000000_redact_decisions');
  const index = '20270118000000_blob_key_index';
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query('BEGIN; LOCK TABLE outputs IN ROW EXCLUSIVE MODE');
  const waits: string[] = [];
  const onWait = (what: string) => waits.push(what);
  const line = `${index} waits for a transaction that holds its tables; requests go on`;
  let failed: Error | undefined;
  migrate(url, { through: index, waitMs: 4_000, onWait }).catch((error: Error) => (failed = error));
  await until('it gives up', () => Promise.resolve(failed !== undefined), 15_000);
  expect(failed!.message).toContain(`Migration ${index} got no lock on its tables`);
  expect(waits).toEqual([line]);
  const next = migrate(url, { through: index, onWait });
  await until('the next run waits', () => Promise.resolve(waits.length === 2));
  await writer.end();
  expect(await next).toEqual([index]);
  expect(waits).toEqual([line, line]);
  const built = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'outputs_blob_key'::regclass`;
  expect(await rowsOf(url, built)).toEqual([{ valid: true }]);
});

test('two runs at once: the second waits for the first, says so, and gives up in the end', async () => {
  const url = await databaseOf(older);
  const dump = await longTransaction(url);
  const first = migrate(url);
  await until('the first run waits for the dump', async () => {
    return (await rowsOf(url, 'SELECT FROM pg_locks WHERE NOT granted')).length > 0;
  });
  const waits: string[] = [];
  const second = migrate(url, { waitMs: 300, onWait: (what) => waits.push(what) });
  await expect(second).rejects.toThrow(
    'Another run of the migrations has held their advisory lock all the time.',
  );
  expect(waits).toEqual(['another run of the migrations goes on; this one waits for it']);
  const third = migrate(url);
  await dump.end();
  expect(await first).toContain(newer);
  expect(await third).toEqual([]);
});

test('the program that migrates waits for locks as long as MIGRATION_WAIT_MS says, then says what to end', async () => {
  const program = (url: string, wait: string) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((ended) => {
      const env = { PATH: process.env.PATH, DATABASE_URL: url, MIGRATION_WAIT_MS: wait };
      const args = ['libs/store/dist/migrations/migrate-main.js'];
      execFile(process.execPath, args, { env, timeout: 30_000 }, (error, stdout, stderr) =>
        ended({ code: error?.code ?? (error ? 'killed' : 0), stdout, stderr }),
      );
    });
  const url = await databaseOf(older);
  const dump = await longTransaction(url);
  expect(await program(url, '3000')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${newer} waits for a transaction`) as string,
    stderr: expect.stringContaining('End the session in pg_stat_activity') as string,
  });
  await dump.end();
  expect(await program(url, 'soon')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('MIGRATION_WAIT_MS must be a whole number of milliseconds') as string,
  });
  expect((await program(url, '')).code).toBe(0);
});
