import { SpillwayError } from '@spillway/engine';

/** The cursor of the next page, opaque to clients. */
export const writeCursor = (position: number): string => Buffer.from(`p${position}`).toString('base64url');

/** `most` is the largest valid position; without a cursor, a list starts at `start`. */
export function readCursor(cursor: string | undefined, start: number, most = 2_147_483_647): number {
  if (cursor === undefined) return start;
  const match = /^p(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const position = Number(match?.[1]);
  // Each position has one encoding, so a modified cursor does not decode to another position.
  if (!match || position > most || writeCursor(position) !== cursor) {
    throw new SpillwayError('invalid_request', 'The cursor is invalid.', [
      { path: '/cursor', message: 'must come from next_cursor' },
    ]);
  }
  return position;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** One page of rows, of which `limit` + 1 were read. `positionOf` returns the position of a row. */
export function pageOf<T>(rows: T[], limit: number, positionOf: (last: T) => number): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? writeCursor(positionOf(last)) : null };
}
