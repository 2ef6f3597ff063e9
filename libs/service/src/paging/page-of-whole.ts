import { z } from 'zod';
import type { Page } from './cursor.js';
import { decodeCursor, encodeCursor } from './cursor-codec.js';

export interface ListQuery {
  /** Left out: everything in one page. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface WholeOrder<T> {
  /** Part of the cursor, so that a cursor of another list is refused. */
  list: string;
  /** A unique key of a row. Its order as text is the order of the list. */
  keyOf: (row: T) => string;
  descending?: boolean;
}

/** The key of a row in a list that shows the newest first. */
export const byCreation = ({ createdAt, id }: { createdAt: Date; id: string }): string =>
  `${createdAt.toISOString()} ${id}`;

/**
 * One page of a list that is small enough to be read whole. Rows that are added or removed between two pages move no
 * other one. Throws `invalid_request` for a cursor of another list.
 */
export function pageOfWhole<T>(
  rows: readonly T[],
  { limit = Infinity, cursor }: ListQuery,
  { list, keyOf, descending = false }: WholeOrder<T>,
): Page<T> {
  const direction = descending ? -1 : 1;
  const after = cursor === undefined ? null : keyIn(cursor, list);
  const rest = rows
    .map((row) => ({ row, key: keyOf(row) }))
    .filter(({ key }) => after === null || compare(key, after) === direction)
    .sort((a, b) => direction * compare(a.key, b.key));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ row }) => row),
    nextCursor: rest.length > page.length && last ? encodeCursor([list, last.key]) : null,
  };
}

/** Names of models have no locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function keyIn(cursor: string, list: string): string {
  const [, key] = decodeCursor(cursor, z.tuple([z.literal(list), z.string()]), {
    detail: 'The cursor is invalid for this list.',
    message: 'must come from next_cursor of this list',
  });
  return key;
}
