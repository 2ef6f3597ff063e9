import pg from 'pg';

export interface Stored {
  bytes: number;
  rows: number;
}

/** Looks at a database over one connection that writes nothing. */
export interface DatabaseCost {
  /** Bytes of write-ahead log that the server has written so far, of all its databases. */
  logBytes(): Promise<number>;
  /** What the database holds more than when this was opened. */
  stored(): Promise<Stored>;
  close(): Promise<void>;
}

export async function databaseCost(url: string): Promise<DatabaseCost> {
  const database = new pg.Client(url);
  await database.connect();
  const one = async (text: string): Promise<number> => {
    const { rows } = await database.query<{ value: string }>(text);
    return Number(rows[0]!.value);
  };
  const held = async (): Promise<Stored> => {
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables`,
    );
    let rows = 0;
    for (const { name } of tables) rows += await one(`SELECT count(*) AS value FROM ${name}`);
    return { bytes: await one('SELECT pg_database_size(current_database()) AS value'), rows };
  };
  // Until here the first write to each page would log the whole page.
  await database.query('CHECKPOINT');
  const before = await held();
  return {
    logBytes: () => one(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS value`),
    stored: async () => {
      const now = await held();
      return { bytes: now.bytes - before.bytes, rows: now.rows - before.rows };
    },
    close: () => database.end(),
  };
}
