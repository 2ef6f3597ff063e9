import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor-codec.js';

/** The cursor of the next page of a list that is ordered by one number. */
export const writeCursor = (position: number): string => encodeCursor([position]);

/** `max` is the largest valid position; without a cursor, a list starts at `start`. */
export function readCursor(cursor: string | undefined, start: number, max = 2_147_483_647): number {
  if (cursor === undefined) return start;
  const [position] = decodeCursor(cursor, z.tuple([z.int().min(0).max(max)]), {
    detail: 'The cursor is invalid.',
    message: 'must come from next_cursor',
  });
  return position;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** One page of rows, of which `limit` + 1 were read. `cursorAfter` returns the cursor of the page after a row. */
export function pageOf<T>(rows: readonly T[], limit: number, cursorAfter: (last: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last !== undefined ? cursorAfter(last) : null };
}

/** One page of rows that were all read, from an index on. */
export function pageFrom<T>(rows: readonly T[], start: number, limit: number): Page<T> {
  const end = start + limit;
  return { data: rows.slice(start, end), nextCursor: end < rows.length ? writeCursor(end) : null };
}
