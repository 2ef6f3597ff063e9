import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How often it is looked whether the statement waits. */
const lookMs = 250;

export interface OutsideTransaction {
  databaseUrl: string;
  sql: string;
  /** A lock of a table is waited for this long: requests wait behind that. */
  lockMs: number;
  /** How long the statement may wait for other transactions in all. The time in which it works does not count. */
  leftMs: number;
  /** Called with each time that the statement has waited. */
  onWaited: (ms: number) => void;
}

/**
 * Runs a statement that Postgres runs outside transactions alone. It waits for other transactions without blocking
 * requests, and as long as they take, so that another session watches it and cancels it at the end of the wait. Returns
 * whether it was done. What a statement that was ended has left, an index that is not valid, is removed before.
 */
export async function runOutsideTransaction(client: pg.Client, given: OutsideTransaction): Promise<boolean> {
  await dropInvalidIndex(client, given);
  // Ends the wait of a session whose program was killed: it would keep the lock of the migrations.
  await client.query(`SET lock_timeout = ${Math.ceil(given.leftMs) + 60_000}`);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new AbortController();
  const watched = cancelAfterWait(rows[0]!.pid, given, ended.signal);
  try {
    await client.query(given.sql);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== queryCanceled || !(await watched)) throw error;
    // The transaction that it waited for may hold the table: then the next run removes the index.
    await dropInvalidIndex(client, given).catch(() => undefined);
    return false;
  } finally {
    ended.abort();
    await watched;
    const reset = () => client.query('RESET lock_timeout');
    // A statement that ended while it was being cancelled leaves the cancellation to the next one.
    await reset().catch(reset);
  }
}

const queryCanceled = '57014';

/** Cancels the statement of a session once it has waited too long. Returns whether it did; false without a connection. */
async function cancelAfterWait(
  pid: number,
  { databaseUrl, leftMs, onWaited }: OutsideTransaction,
  ended: AbortSignal,
): Promise<boolean> {
  const watcher = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  watcher.on('error', () => undefined);
  try {
    await watcher.connect();
    for (let waitedMs = 0, seen = performance.now(); waitedMs <= leftMs;) {
      await sleep(lookMs, undefined, { signal: ended });
      const { rowCount } = await watcher.query(
        `SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`,
        [pid],
      );
      const since = seen;
      seen = performance.now();
      if (rowCount === 0) continue;
      waitedMs += seen - since;
      onWaited(seen - since);
    }
    await watcher.query('SELECT pg_cancel_backend($1)', [pid]);
    return true;
  } catch {
    return false;
  } finally {
    await watcher.end();
  }
}

/** Removes the index that the statement builds, if it is there and not valid: the statement would leave it so. */
async function dropInvalidIndex(client: pg.Client, { sql, lockMs }: OutsideTransaction): Promise<void> {
  const name = /INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"/.exec(sql)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [`"${name}"`],
  );
  if (rowCount === 0) return;
  await client.query(`SET lock_timeout = ${lockMs}`);
  await client.query(`DROP INDEX "${name}"`);
}
