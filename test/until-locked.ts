import { rowsOf, until } from '@spillway/testing';

/**
 * Waits until so many statements in this database wait for a lock, whoever holds it: for files with a stack of their own.
 */
export const untilLocked = (databaseUrl: string, statements: number): Promise<unknown> =>
  until(`${statements} statements wait for a lock`, async () => {
    const [row] = await rowsOf<{ waiting: number }>(
      databaseUrl,
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row!.waiting >= statements;
  });
