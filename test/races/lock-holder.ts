import { rowsOf, until } from '@spillway/testing';
import pg from 'pg';

/** A connection that holds locks, so that requests meet where a test wants them to. */
export interface LockHolder {
  /** Takes the row of a thread: whoever changes it waits. */
  holdThread(id: string): Promise<void>;
  /**
   * Takes a table: whoever writes it waits, and whoever reads it, unless only writers shall wait. Only on a stack that no
   * other file uses.
   */
  holdTable(name: string, whom?: 'all' | 'writers'): Promise<void>;
  /**
   * Waits until so many statements wait for these locks, in the queue behind one another or not. What waits for other
   * locks does not count: other files may use the stack at the same time.
   */
  untilWaiting(statements: number): Promise<unknown>;
  /** Lets them go on. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function lockHolder(databaseUrl: string): Promise<LockHolder> {
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = `
    WITH RECURSIVE behind (pid) AS (
      SELECT $1::int
      UNION
      SELECT activity.pid FROM behind, pg_stat_activity activity
      WHERE activity.datname = current_database() AND behind.pid = ANY (pg_blocking_pids(activity.pid))
    )
    SELECT count(*)::int - 1 AS statements FROM behind`;
  return {
    holdThread: async (id) => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM threads WHERE id = $1 FOR UPDATE', [id]);
    },
    holdTable: async (name, whom = 'all') => {
      const mode = whom === 'all' ? 'ACCESS EXCLUSIVE' : 'SHARE';
      await holder.query(`BEGIN; LOCK TABLE ${name} IN ${mode} MODE`);
    },
    untilWaiting: (statements) =>
      until(`${statements} statements wait for the lock`, async () => {
        const [row] = await rowsOf<{ statements: number }>(databaseUrl, waiting, [rows[0]!.pid]);
        return row!.statements >= statements;
      }),
    release: async () => void (await holder.query('COMMIT')),
    close: () => holder.end(),
  };
}
