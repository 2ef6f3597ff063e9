import { SpillwayError } from '@spillway/engine';
import { figuresByProject, type ProjectFigure, type ProjectFigures } from '@spillway/store';
import { z } from 'zod';
import { pageOf, type Page } from '../paging/cursor.js';
import { readKeyset, writeKeyset } from '../paging/keyset-cursor.js';
import type { Runtime } from '../runtime.js';

export interface ProjectUsageQuery {
  /** Left out: 24 hours before `to`. */
  from?: Date;
  /** Left out: now. */
  to?: Date;
  sort?: ProjectFigure;
  limit?: number;
  cursor?: string;
}

export interface ProjectUsage extends Page<ProjectFigures> {
  from: Date;
  to: Date;
}

const hourMs = 3_600_000;
/** Hours of 10,000 projects that are used all day are read in about a second: docs/adr/0196 has the numbers. */
const maxDays = 31;
const uuid: z.ZodType<string> = z.uuid();

/**
 * Projects of the service by a figure, the largest first. The range is widened to whole hours in UTC; what a project
 * holds is that of now. A figure that grows between two pages moves its project up: one that passes the position of the
 * cursor is on neither page. Throws `invalid_request` for a range that is empty or too long.
 */
export async function readProjectUsage(
  rt: Runtime,
  { sort = 'messages', limit = 50, cursor, ...asked }: ProjectUsageQuery,
): Promise<ProjectUsage> {
  const until = asked.to?.getTime() ?? Date.now();
  const since = asked.from?.getTime() ?? until - 24 * hourMs;
  refuseBadRange(since, until);
  const from = new Date(Math.floor(since / hourMs) * hourMs);
  const to = new Date(Math.ceil(until / hourMs) * hourMs);
  const after = readKeyset(cursor, { order: sort, value: z.number().min(0), id: uuid });
  const position = after && { value: Number(after.value), id: after.id };
  const rows = await figuresByProject(
    rt.store.query,
    { from, to },
    { sort, after: position, limit: limit + 1 },
  );
  return {
    from,
    to,
    ...pageOf(rows, limit, ({ sortedBy, id }) => writeKeyset(sort, { value: sortedBy, id })),
  };
}

function refuseBadRange(since: number, until: number): void {
  const isEmpty = since >= until;
  if (!isEmpty && until - since <= maxDays * 24 * hourMs) return;
  throw new SpillwayError('invalid_request', isEmpty ? 'The range is empty.' : 'The range is too long.', [
    {
      path: '/from',
      message: isEmpty ? 'must be before /to' : `must be at most ${maxDays} days before /to`,
    },
  ]);
}
