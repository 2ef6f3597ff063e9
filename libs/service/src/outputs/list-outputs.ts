import { listOutputs as readOutputs, type OutputRow } from '@spillway/store';
import { pageOf, type Page } from '../paging/cursor.js';
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
  return pageOf(rows, limit, ({ seq, place }) =>
    writeKeyset(shape.order, { value: seq!, id: String(place) }),
  );
}
