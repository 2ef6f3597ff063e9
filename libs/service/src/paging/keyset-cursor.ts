import { SpillwayError } from '@spillway/engine';

/** The last row of a page: its sort value and its id. */
export interface KeysetPosition {
  value: string | number;
  id: string;
}

/** The valid values and ids of a cursor; nothing else reaches Postgres. */
export interface KeysetShape {
  /** Part of the cursor, so that a cursor of another sort order is refused. */
  order: string;
  isValue: (value: unknown) => value is string | number;
  isId: (id: string) => boolean;
}

/** An integer up to the maximum of the column it is compared with. */
export const isCount =
  (most: number) =>
  (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
export const isShare = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && isDate(value);
const isDate = (text: string): boolean => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text && !text.startsWith('0000');
};

/** The cursor of the next page, opaque to clients. */
export const writeKeyset = (order: string, position: KeysetPosition): string =>
  Buffer.from(JSON.stringify([order, position.value, position.id])).toString('base64url');

/** Throws `invalid_request` for a cursor that this list did not write in this order. */
export function readKeyset(cursor: string | undefined, shape: KeysetShape): KeysetPosition | null {
  if (cursor === undefined) return null;
  const [order, value, id, ...more] = partsOf(cursor);
  const known = typeof order === 'string' && typeof id === 'string' && more.length === 0;
  if (known && order === shape.order && shape.isValue(value) && shape.isId(id)) {
    // Each position has one encoding, so a modified cursor does not decode to another position.
    if (writeKeyset(order, { value, id }) === cursor) return { value, id };
  }
  throw new SpillwayError('invalid_request', 'The cursor is invalid for this list and sort order.', [
    { path: '/cursor', message: 'must come from next_cursor of the same sort' },
  ]);
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
