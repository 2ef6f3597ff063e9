import { listOutputs as readOutputs, type OutputRow } from '@spillway/store';
import type { Page } from '../paging/cursor.js';
import { getThread } from '../threads/get-thread.js';
import { z } from 'zod';
import { countUpTo, readKeyset, writeKeyset } from '../paging/keyset-cursor.js';
import type { Runtime } from '../runtime.js';

export interface ThreadListing {
  projectId: string;
  threadId: string;
  limit?: number;
  cursor?: string;
}

/** A message may have several outputs, so a cursor contains the message and the index of the output in it. */
const shape = {
  order: 'thread-outputs',
  value: countUpTo(2_147_483_647),
  id: z.string().regex(/^\d{1,9}$/),
};

/** Outputs of a thread, newest first. */
export async function listOutputs(rt: Runtime, query: ThreadListing): Promise<Page<OutputRow>> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const limit = query.limit ?? 50;
  const cursor = readKeyset(query.cursor, shape);
  const after = cursor && { seq: Number(cursor.value), place: Number(cursor.id) };
  const of = { projectId: query.projectId, threadUid: thread.uid };
  const rows = await readOutputs(rt.store, of, after, limit + 1);
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  if (rows.length <= limit || !last) return { data, nextCursor: null };
  return { data, nextCursor: writeKeyset(shape.order, { value: last.seq!, id: String(last.place) }) };
}
