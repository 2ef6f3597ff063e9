import { SpillwayError } from '@spillway/engine';
import {
  listProjectAttempts as readAttempts,
  type AttemptFilter,
  type AttemptPosition,
  type ProjectAttemptRow,
} from '@spillway/store';
import type { Page } from '../paging/cursor.js';
import type { Runtime } from '../runtime.js';

/** Attempts of all threads of a project, newest first. */
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
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}

const cursorOf = ({ startedAt, threadUid, epoch }: AttemptPosition): string =>
  Buffer.from(`a${startedAt.getTime()}.${epoch}.${threadUid}`).toString('base64url');

const cursorPattern =
  /^a(\d{1,14})\.(\d{1,10})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Several attempts may begin at the same time, so a cursor of the time alone would skip or repeat some. */
function positionOf(cursor: string): AttemptPosition {
  const match = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match) {
    const found = {
      startedAt: new Date(Number(match[1])),
      epoch: Number(match[2]),
      threadUid: match[3]!,
    };
    if (found.epoch <= 2_147_483_647 && cursorOf(found) === cursor) return found;
  }
  throw new SpillwayError('invalid_request', 'The cursor is invalid.', [
    { path: '/cursor', message: 'must come from next_cursor' },
  ]);
}
