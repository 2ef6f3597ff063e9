import {
  countThreads as readCounts,
  listThreads as readThreads,
  positionOf,
  type Direction,
  type ListedThreadRow,
  type ThreadCounts,
  type ThreadFilter,
  type ThreadListing as Listing,
  type ThreadOrder,
} from '@spillway/store';
import { z } from 'zod';
import { pageOf, type Page } from '../paging/cursor.js';
import {
  countUpTo,
  readKeyset,
  share,
  time,
  writeKeyset,
  type KeysetShape,
} from '../paging/keyset-cursor.js';
import type { Runtime } from '../runtime.js';

export interface ThreadListQuery extends ThreadFilter {
  order?: ThreadOrder;
  direction?: Direction;
  limit?: number;
  cursor?: string;
}

const values: Record<ThreadOrder, KeysetShape['value']> = {
  updated: time,
  created: time,
  tokens: countUpTo(2_147_483_647),
  messages: countUpTo(2_147_483_647),
  fill: share,
  id: z.string().regex(/^[A-Za-z0-9._:@-]{1,200}$/),
};

/** Threads of a project, by default the most recently used first. */
export async function listThreads(rt: Runtime, query: ThreadListQuery): Promise<Page<ListedThreadRow>> {
  const { cursor, limit = 50, order = 'updated', ...filter } = query;
  const direction = query.direction ?? (order === 'id' ? 'asc' : 'desc');
  const name = `threads.${order}.${direction}`;
  const position = readKeyset(cursor, { order: name, value: values[order], id: uuid });
  const after: Listing['after'] = position && { value: position.value, uid: position.id };
  const rows = await readThreads(rt.store.query, { ...filter, order, direction, after, limit: limit + 1 });
  return pageOf(rows, limit, (last) => {
    const { value, uid } = positionOf(last, order);
    return writeKeyset(name, { value, id: uid });
  });
}

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** Number of threads that match a filter, by state and by model. */
export const countThreads = (rt: Runtime, filter: ThreadFilter): Promise<ThreadCounts> =>
  readCounts(rt.store.query, filter);
