import {
  listProjectAttempts as readAttempts,
  type AttemptFilter,
  type AttemptPosition,
  type ProjectAttemptRow,
} from '@spillway/store';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../paging/cursor-codec.js';
import { pageOf, type Page } from '../paging/cursor.js';
import { countUpTo, time } from '../paging/keyset-cursor.js';
import type { Runtime } from '../runtime.js';

/** Attempts of all threads of a project, newest first. Throws `invalid_request` for a cursor of another list. */
export async function listProjectAttempts(
  rt: Runtime,
  query: { projectId: string; outcome?: AttemptFilter; limit?: number; cursor?: string },
): Promise<Page<ProjectAttemptRow>> {
  const { projectId, outcome, limit = 50, cursor } = query;
  const rows = await readAttempts(rt.store.query, projectId, {
    limit: limit + 1,
    ...(outcome ? { outcome } : {}),
    ...(cursor === undefined ? {} : { after: positionOf(cursor) }),
  });
  return pageOf(rows, limit, ({ startedAt, epoch, threadUid }) =>
    encodeCursor(['attempts', startedAt.toISOString(), epoch, threadUid]),
  );
}

/** Several attempts may begin at the same time, so a cursor of the time alone would skip or repeat some. */
const parts = z.tuple([z.literal('attempts'), time, countUpTo(2_147_483_647), z.uuid()]);

function positionOf(cursor: string): AttemptPosition {
  const [, startedAt, epoch, threadUid] = decodeCursor(cursor, parts, {
    detail: 'The cursor is invalid for this list.',
    message: 'must come from next_cursor of this list',
  });
  return { startedAt: new Date(startedAt), epoch, threadUid };
}
