/** Arrays among the parameters of a statement, by column: the type of the elements, and what is taken of each request. */
export type Columns<T> = Readonly<Record<string, readonly [type: string, of: (one: T) => unknown]>>;

/**
 * A set of rows made of arrays, from parameter `$from` on. Each is behind a SELECT, because a plan for arrays of this
 * very length would look cheaper, and be made again each time.
 */
export const unnested = (columns: Columns<never>, from: number): string => {
  const arrays = Object.values(columns).map(([type], i) => `(SELECT $${from + i}::${type}[])`);
  return `unnest(${arrays.join(', ')})`;
};

/** The arrays themselves. */
export const valuesOf = <T>(columns: Columns<T>, all: readonly T[]): unknown[][] =>
  Object.values(columns).map(([, of]) => all.map(of));
