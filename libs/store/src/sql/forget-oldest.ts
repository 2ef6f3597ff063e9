import type { Query } from '../connection/store.js';

/**
 * Maximum of rows that one statement forgets, to bound the number of locks. Their places (`ctid`) are looked up first:
 * by their keys Postgres might compare the whole table with them.
 */
const forgottenAtOnce = 5_000;

export interface OldRows {
  /** Of the statement. */
  name: string;
  table: string;
  /** Condition of the rows, in SQL. */
  isOld: string;
  /** Column with the age of a row. */
  by: string;
}

/** Removes at most a batch of these rows, the oldest first, and returns how many. */
export async function forgetOldest(
  query: Query,
  { name, table, isOld, by }: OldRows,
  values: readonly unknown[],
): Promise<number> {
  const rows = await query(
    {
      name,
      text: `DELETE FROM ${table} WHERE ${isOld} AND ctid = ANY(ARRAY(
          SELECT ctid FROM ${table} WHERE ${isOld} ORDER BY ${by} LIMIT ${forgottenAtOnce}))
        RETURNING id`,
    },
    [...values],
  );
  return rows.length;
}
