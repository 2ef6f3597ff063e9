import type { Query } from './store.js';

/** The time of the database in ms since 1970: the clock of a process may be off. */
export async function databaseTime(query: Query): Promise<number> {
  const [row] = await query<{ now: number }>(
    { name: 'database-time', text: 'SELECT (extract(epoch FROM now()) * 1000)::float8 AS now' },
    [],
  );
  return row!.now;
}
