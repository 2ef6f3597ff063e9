/**
 * Maximum of rows that one statement forgets, to bound the number of locks. Their places (`ctid`) are looked up first:
 * by their keys Postgres might compare the whole table with them.
 */
export const forgottenAtOnce = 5_000;
