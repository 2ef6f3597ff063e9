import { SpillwayError } from '@spillway/engine';
import {
  findSummary,
  listAttempts as readAttempts,
  listSummaries as readSummaries,
  type AttemptRow,
  type SummaryRow,
  type ThreadRow,
} from '@spillway/store';
import { pageOf, readCursor, type Page } from './cursor.js';
import { getThread } from './get-thread.js';
import type { ThreadListing } from './list-outputs.js';
import type { Runtime } from './runtime.js';

/** Summary generations of every chain, newest first. */
export async function listSummaries(
  rt: Runtime,
  query: ThreadListing,
): Promise<{ thread: ThreadRow; page: Page<SummaryRow> }> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const limit = query.limit ?? 50;
  const of = { projectId: query.projectId, threadUid: thread.uid };
  const rows = await readSummaries(rt.store, of, readCursor(query.cursor, 2_147_483_647), limit + 1);
  return { thread, page: pageOf(rows, limit, (row) => row.generation) };
}

/** One generation. Throws `summary_not_found`. */
export async function getSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<{ thread: ThreadRow; summary: SummaryRow }> {
  const thread = await getThread(rt, projectId, threadId);
  const summary = await findSummary(rt.store, { projectId, threadUid: thread.uid }, generation);
  if (!summary) throw new SpillwayError('summary_not_found', 'No such generation.');
  return { thread, summary };
}

/** Compaction attempts, newest first. */
export async function listCompactions(rt: Runtime, query: ThreadListing): Promise<Page<AttemptRow>> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const limit = query.limit ?? 50;
  const of = { projectId: query.projectId, threadUid: thread.uid };
  const rows = await readAttempts(rt.store, of, readCursor(query.cursor, 2_147_483_647), limit + 1);
  return pageOf(rows, limit, (row) => row.epoch);
}
