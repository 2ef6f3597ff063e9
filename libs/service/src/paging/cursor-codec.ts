import { SpillwayError } from '@spillway/engine';
import type { z } from 'zod';

/** A cursor is opaque to clients: base64url of a JSON array. */
export const encodeCursor = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * The parts of a cursor. Throws `invalid_request` unless they fit the schema and the cursor is the one encoding of
 * them, so a modified cursor does not decode to another position, and nothing else reaches Postgres.
 */
export function decodeCursor<T extends unknown[]>(
  cursor: string,
  schema: z.ZodType<T>,
  refusal: { detail: string; message: string },
): T {
  const read = schema.safeParse(jsonOf(cursor));
  if (read.success && encodeCursor(read.data) === cursor) return read.data;
  throw new SpillwayError('invalid_request', refusal.detail, [{ path: '/cursor', message: refusal.message }]);
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
