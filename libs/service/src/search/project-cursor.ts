import { createHash } from 'node:crypto';
import type { KeysetValue } from '@spillway/store';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../paging/cursor-codec.js';
import { time } from '../paging/keyset-cursor.js';

/** The position of a search of a project. */
export interface ProjectPosition {
  /** The last thread, in the order of creation, that was searched; null before the first. */
  after: KeysetValue | null;
  /** The thread behind it, when only its newer messages were searched, and the newest of the others. */
  within: { uid: string; through: number } | null;
}

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const seq = z.number().int().min(1).max(2_147_483_647);

/** Opaque to clients, and valid for this query with these filters only. */
export const writeProjectCursor = (search: readonly unknown[], { after, within }: ProjectPosition): string =>
  encodeCursor([digest(search), after && [after.value, after.uid], within && [within.uid, within.through]]);

/** Throws `invalid_request` for a cursor that this search did not write. */
export function readProjectCursor(search: readonly unknown[], cursor: string): ProjectPosition {
  const shape = z.tuple([
    z.literal(digest(search)),
    z.tuple([time, uuid]).nullable(),
    z.tuple([uuid, seq]).nullable(),
  ]);
  const [, after, within] = decodeCursor(cursor, shape, {
    detail: 'The cursor does not belong to this search.',
    message: 'must be the next_cursor of a search with the same q and filters',
  });
  return {
    after: after && { value: after[0], uid: after[1] },
    within: within && { uid: within[0], through: within[1] },
  };
}

const digest = (search: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, 12);
