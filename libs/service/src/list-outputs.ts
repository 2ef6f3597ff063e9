import { listOutputs as readOutputs, type OutputRow } from '@spillway/store';
import { pageOf, readCursor, type Page } from './cursor.js';
import { getThread } from './get-thread.js';
import type { Runtime } from './runtime.js';

export interface ThreadListing {
  projectId: string;
  threadId: string;
  limit?: number;
  cursor?: string;
}

/** Outputs of a thread, newest first. */
export async function listOutputs(rt: Runtime, query: ThreadListing): Promise<Page<OutputRow>> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const limit = query.limit ?? 50;
  const before = readCursor(query.cursor, 2_147_483_647);
  const of = { projectId: query.projectId, threadUid: thread.uid };
  const rows = await readOutputs(rt.store, of, before, limit + 1);
  return pageOf(rows, limit, (row) => row.seq ?? 0);
}
