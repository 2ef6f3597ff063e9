import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beginEventEpoch } from './begin-event-epoch.js';
import { adviceOnRole, withoutExistingRole } from './existing-role.js';
import { runOutsideTransaction } from './outside-transaction.js';

/** Prisma's own advisory lock, so that `prisma migrate deploy` and this runner wait for each other. */
const prismaLock = 72707369;
/**
 * The first line of a migration of one statement that Postgres runs outside transactions alone, and that may be
 * repeated.
 */
const outsideTransaction = '-- Outside a transaction.\n';
const migrationsFolder = fileURLToPath(new URL('../../../../prisma/migrations/', import.meta.url));

const ledger = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** A migration waits this long for a lock: requests that want the same table wait behind it, and theirs is 5 s. */
const lockMs = 2_000;
/** Until it is tried again, so that those requests get their turn. */
const pauseMs = 3_000;

export interface Migration {
  /** Stops after this migration. Default: the newest. */
  through?: string;
  /** How long all migrations together wait for other transactions and other runs. Default: 10 minutes. */
  waitMs?: number;
  /** Told once of each wait: a sentence that says what waits for what. */
  onWait?: (what: string) => void;
  /** Begins an epoch of events even if nothing shows that the database went back to an earlier moment. */
  newEpoch?: boolean;
}

/** How long is left to wait, and who is told. */
interface Wait {
  leftMs: number;
  onWait: (what: string) => void;
}

/**
 * Applies the missing migrations of prisma/migrations in order, and returns their names. It keeps Prisma's ledger, so
 * production needs neither the Prisma CLI nor its engine. Requests go on meanwhile, whatever else holds a table: a
 * migration that does not get its locks soon lets them pass and is tried again. Stops when an applied migration was
 * edited, one failed half way or got no locks, or another run goes on all the time.
 */
export async function migrate(
  databaseUrl: string,
  { through, waitMs = 600_000, onWait = () => undefined, newEpoch = false }: Migration = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const wait = { leftMs: waitMs, onWait };
  try {
    await lock(client, wait);
    await client.query(ledger);
    const names = (await readdir(migrationsFolder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .filter((name) => through === undefined || name <= through)
      .sort();
    const applied: string[] = [];
    for (const name of names) {
      const apply = () => applyMigration(client, name, { databaseUrl, wait });
      if (await whenUnlocked(apply, name, wait)) applied.push(name);
    }
    if (through === undefined) await beginEventEpoch(client, newEpoch);
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * Waits for the lock without a statement that waits: an index that is built concurrently by the holder of the lock would
 * wait for that statement.
 */
async function lock(client: pg.Client, wait: Wait): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      prismaLock,
    ]);
    if (rows[0]!.held) return;
    if (wait.leftMs <= 0) throw new Error(stillRunning);
    if (tries === 0) wait.onWait('another run of the migrations goes on; this one waits for it');
    await sleep(100);
    wait.leftMs -= 100;
  }
}

const stillRunning =
  'Another run of the migrations has held their advisory lock all the time. ' +
  "Wait for it or end it: SELECT pid FROM pg_locks WHERE locktype = 'advisory'.";

/** Tries again what got no lock, and takes the time from what is left to wait. */
async function whenUnlocked<Result>(apply: () => Promise<Result>, name: string, wait: Wait): Promise<Result> {
  for (let tries = 0; ; tries++) {
    const since = performance.now();
    try {
      return await apply();
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      wait.leftMs -= performance.now() - since;
      if (wait.leftMs < 0) throw new Error(stillLocked(name), { cause: error });
      if (tries === 0) wait.onWait(waits(name));
      // The last try is at the end of the wait, not after it: the Job of the Helm chart is killed at a deadline.
      const pause = Math.min(pauseMs, wait.leftMs);
      await sleep(pause);
      wait.leftMs -= pause;
    }
  }
}

const lockNotAvailable = '55P03';

const waits = (name: string): string =>
  `${name} waits for a transaction that holds its tables; requests go on`;

const stillLocked = (name: string): string =>
  `Migration ${name} got no lock on its tables, because another transaction has held one all the time. ` +
  'End the session in pg_stat_activity with the oldest xact_start, and run the migrations again.';

async function applyMigration(
  client: pg.Client,
  name: string,
  { databaseUrl, wait }: { databaseUrl: string; wait: Wait },
): Promise<boolean> {
  const sql = await readFile(`${migrationsFolder}${name}/migration.sql`, 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  const { rows } = await client.query<{ checksum: string; finished_at: Date | null }>(
    'SELECT checksum, finished_at FROM _prisma_migrations WHERE migration_name = $1 AND rolled_back_at IS NULL',
    [name],
  );
  const known = rows[0];
  if (known?.finished_at && known.checksum === checksum) return false;
  if (known) {
    const why = known.finished_at ? 'was changed after it was applied' : 'failed half way';
    throw new Error(`Migration ${name} ${why}; see prisma migrate resolve.`);
  }
  if (sql.startsWith(outsideTransaction)) {
    await applyOutside(client, name, { databaseUrl, sql, wait });
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       VALUES (gen_random_uuid()::text, $1, now(), $2, 1)`,
      [checksum, name],
    );
    return true;
  }
  // One message without parameters runs as one transaction: all of a migration and its row, or nothing.
  const whole = `SET LOCAL lock_timeout = ${lockMs};
     ${await withoutExistingRole(client, sql)};
     INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
     VALUES (gen_random_uuid()::text, '${checksum}', now(), '${name.replaceAll("'", "''")}', 1);`;
  try {
    await client.query(whole);
  } catch (error) {
    const advice = await adviceOnRole(client, error);
    throw advice === undefined ? error : new Error(advice, { cause: error });
  }
  return true;
}

/** Its time of waiting is taken from what is left. */
async function applyOutside(
  client: pg.Client,
  name: string,
  { databaseUrl, sql, wait }: { databaseUrl: string; sql: string; wait: Wait },
): Promise<void> {
  let waitedMs = 0;
  let reported = false;
  const onWaited = (ms: number) => {
    waitedMs += ms;
    if (reported || waitedMs < lockMs) return;
    reported = true;
    wait.onWait(waits(name));
  };
  const leftMs = Math.max(0, wait.leftMs);
  const isDone = await runOutsideTransaction(client, { databaseUrl, sql, lockMs, leftMs, onWaited });
  wait.leftMs -= waitedMs;
  if (!isDone) throw new Error(stillLocked(name));
}
