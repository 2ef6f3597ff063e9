/**
 * Arrays among the parameters of a statement, by column: the type of the elements, and what is taken of each request.
 * A rare column is null in most requests.
 */
export type Columns<T> = Readonly<
  Record<string, readonly [type: string, of: (one: T) => unknown, howOften?: 'rare']>
>;

/**
 * A set of rows made of arrays, from parameter `$from` on. Each is behind a SELECT, because a plan for arrays of this
 * very length would look cheaper, and be made again each time.
 */
export const unnested = (columns: Columns<never>, from: number): string => {
  const arrays = Object.values(columns).map(([type], i) => `(SELECT $${from + i}::${type}[])`);
  return `unnest(${arrays.join(', ')})`;
};

/**
 * Ends a LATERAL subquery that reads the rows of one request by their key. Without it Postgres may join the whole set
 * with all rows of the project, which takes the longer the larger the project is. It does so when statistics are
 * missing, because a project then seems to have a handful of threads, and may do so when they are there.
 */
export const oneByOne = 'OFFSET 0';

/** The arrays themselves; null in place of a rare one that has no value. */
export const valuesOf = <T>(columns: Columns<T>, all: readonly T[]): (unknown[] | null)[] =>
  Object.values(columns).map(([, of, howOften]) =>
    howOften === 'rare' ? arrayOrNull(all.map(of)) : all.map(of),
  );

/** Null for nothing but nulls: unnest() fills the column up, and nothing is written or read for it. */
export const arrayOrNull = (values: unknown[]): unknown[] | null =>
  values.some((value) => value !== null) ? values : null;
