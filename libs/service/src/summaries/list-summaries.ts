import { SpillwayError } from '@spillway/engine';
import {
  attemptsOfGenerations,
  findSummary,
  listAttempts as readAttempts,
  listSummaries as readSummaries,
  type AttemptRow,
  type SummaryRow,
  type ThreadRow,
} from '@spillway/store';
import { pageOf, readCursor, type Page } from '../paging/cursor.js';
import { getThread } from '../threads/get-thread.js';
import type { ThreadListing } from '../outputs/list-outputs.js';
import type { Runtime } from '../runtime.js';

/** Summary generations of every chain, newest first. */
export async function listSummaries(
  rt: Runtime,
  query: ThreadListing,
): Promise<{ thread: ThreadRow; page: Page<MadeSummary> }> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const limit = query.limit ?? 50;
  const of = { projectId: query.projectId, threadUid: thread.uid };
  const rows = await readSummaries(rt.store, of, readCursor(query.cursor, 2_147_483_647), limit + 1);
  const { data, nextCursor } = pageOf(rows, limit, (row) => row.generation);
  return { thread, page: { data: await withAttempts(rt, of, data), nextCursor } };
}

/** A generation with the attempt that made it; a restored one has none. */
export interface MadeSummary {
  summary: SummaryRow;
  madeBy: AttemptRow | undefined;
}

async function withAttempts(
  rt: Runtime,
  of: { projectId: string; threadUid: string },
  summaries: SummaryRow[],
): Promise<MadeSummary[]> {
  const generations = summaries.map(({ generation }) => generation);
  const attempts = await attemptsOfGenerations(rt.store, of, generations);
  return summaries.map((summary) => ({
    summary,
    madeBy: attempts.find(({ generation }) => generation === summary.generation),
  }));
}

/** One generation. Throws `summary_not_found`. */
export async function getSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<{ thread: ThreadRow; summary: SummaryRow }> {
  const thread = await getThread(rt, projectId, threadId);
  const of = { projectId, threadUid: thread.uid };
  const summary = await findSummary(rt.store, of, generation);
  if (!summary) throw new SpillwayError('summary_not_found', 'No such generation.');
  return { thread, summary };
}

/** The same, with the attempt that made it. */
export async function getMadeSummary(
  ...which: Parameters<typeof getSummary>
): Promise<{ thread: ThreadRow } & MadeSummary> {
  const { thread, summary } = await getSummary(...which);
  const of = { projectId: thread.projectId, threadUid: thread.uid };
  const [made] = await withAttempts(which[0], of, [summary]);
  return { thread, ...made! };
}

/** Compaction attempts, newest first. */
export async function listCompactions(rt: Runtime, query: ThreadListing): Promise<Page<AttemptRow>> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const limit = query.limit ?? 50;
  const of = { projectId: query.projectId, threadUid: thread.uid };
  const rows = await readAttempts(rt.store, of, readCursor(query.cursor, 2_147_483_647), limit + 1);
  return pageOf(rows, limit, (row) => row.epoch);
}
