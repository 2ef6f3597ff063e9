import { listThreads as readThreads, type ThreadFilter, type ThreadRow } from '@spillway/store';
import { readCursor, writeCursor, type Page } from './cursor.js';
import type { Runtime } from './runtime.js';

export interface ThreadListQuery extends Omit<ThreadFilter, 'offset' | 'limit' | 'order'> {
  order?: ThreadFilter['order'];
  limit?: number;
  cursor?: string;
}

/** Threads of a project, the most recently used first. */
export async function listThreads(rt: Runtime, query: ThreadListQuery): Promise<Page<ThreadRow>> {
  const { cursor, limit = 50, order = 'updated', ...filter } = query;
  const offset = readCursor(cursor, 0);
  const rows = await readThreads(rt.store.query, { ...filter, order, offset, limit: limit + 1 });
  return {
    data: rows.slice(0, limit),
    nextCursor: rows.length > limit ? writeCursor(offset + limit) : null,
  };
}
