import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor-codec.js';

/** The last row of a page: its sort value and its id. */
export interface KeysetPosition {
  value: string | number;
  id: string;
}

/** The valid values and ids of a cursor. */
export interface KeysetShape {
  /** Part of the cursor, so that a cursor of another sort order is refused. */
  order: string;
  value: z.ZodType<string | number>;
  id: z.ZodType<string>;
}

/** An integer up to the maximum of the column it is compared with. */
export const countUpTo = (max: number): z.ZodType<number> => z.int().min(0).max(max);
export const share = z.number().min(0);
/** A time in UTC with milliseconds, of a year that Postgres knows. */
export const time = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'));

/** The cursor of the next page of a list that is ordered by a value and an id. */
export const writeKeyset = (order: string, { value, id }: KeysetPosition): string =>
  encodeCursor([order, value, id]);

/** Throws `invalid_request` for a cursor that this list did not write in this order. */
export function readKeyset(cursor: string | undefined, shape: KeysetShape): KeysetPosition | null {
  if (cursor === undefined) return null;
  const parts = z.tuple([z.literal(shape.order), shape.value, shape.id]);
  const [, value, id] = decodeCursor(cursor, parts, {
    detail: 'The cursor is invalid for this list and sort order.',
    message: 'must come from next_cursor of the same sort',
  });
  return { value, id };
}
