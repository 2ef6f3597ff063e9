import { SpillwayError } from '@spillway/engine';
import {
  attemptsOfGenerations,
  findSummary,
  listAttempts as readAttempts,
  listSummaries as readSummaries,
  readPrepared,
  type AttemptRow,
  type PreparedState,
  type SummaryRow,
  type ThreadRow,
} from '@spillway/store';
import { pageOf, readCursor, writeCursor, type Page } from '../paging/cursor.js';
import { getThread } from '../threads/get-thread.js';
import { untilUnchanged } from '../threads/until-unchanged.js';
import type { ThreadListing } from '../outputs/list-outputs.js';
import type { Runtime } from '../runtime.js';

/** A generation; `prepared` is set while it is not in place. */
export type ListedSummary = SummaryRow & { prepared?: PreparedState };

const newest = 2_147_483_647;

/**
 * Summary generations of every chain, newest first; before them the one that is not in place yet. Throws
 * `thread_not_found`, `thread_busy`.
 */
export async function listSummaries(
  rt: Runtime,
  query: ThreadListing,
): Promise<{ thread: ThreadRow; page: Page<MadeSummary> }> {
  const { projectId, threadId, limit = 50 } = query;
  const before = readCursor(query.cursor, newest);
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const of = { projectId, threadUid: thread.uid };
    const prepared = before === newest ? await preparedOf(rt, thread) : undefined;
    const inPlace = await readSummaries(rt.store, of, before, limit + 1);
    // Between the reads another summary may have become the active one: the list would show two, or none.
    const { generation, preparedGeneration } = await getThread(rt, projectId, threadId);
    if (generation !== thread.generation || preparedGeneration !== thread.preparedGeneration)
      return undefined;
    const rows: ListedSummary[] = prepared ? [prepared, ...inPlace] : inPlace;
    const { data, nextCursor } = pageOf(rows, limit, ({ generation: last }) => writeCursor(last));
    return { thread, page: { data: await withAttempts(rt, of, data), nextCursor } };
  });
}

/** A generation with the attempt that made it; a restored one has none. */
export interface MadeSummary {
  summary: ListedSummary;
  madeBy: AttemptRow | undefined;
}

async function withAttempts(
  rt: Runtime,
  of: { projectId: string; threadUid: string },
  summaries: ListedSummary[],
): Promise<MadeSummary[]> {
  const generations = summaries.map(({ generation }) => generation);
  const attempts = await attemptsOfGenerations(rt.store, of, generations);
  return summaries.map((summary) => ({
    summary,
    // A prepared summary has two attempts: the one that made it, and the one that put it in place.
    madeBy: attempts
      .filter(({ generation }) => generation === summary.generation)
      .sort((a, b) => a.epoch - b.epoch)[0],
  }));
}

/** One generation, in place or not. Throws `summary_not_found`. */
export async function getSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<{ thread: ThreadRow; summary: ListedSummary }> {
  const thread = await getThread(rt, projectId, threadId);
  const of = { projectId, threadUid: thread.uid };
  const prepared = generation === thread.preparedGeneration ? await preparedOf(rt, thread) : undefined;
  if (prepared?.generation === generation) return { thread, summary: prepared };
  // A worker may put a prepared one in place at any moment: it is looked for there second, so that it is never missed.
  const summary = await findSummary(rt.store, of, generation);
  if (!summary) throw new SpillwayError('summary_not_found', 'No such generation.');
  const isNewer = generation > thread.generation;
  return { thread: isNewer ? await getThread(rt, projectId, threadId) : thread, summary };
}

/** A generation that is or was in place. Throws `summary_not_found`. */
export async function getSummaryInPlace(
  ...which: Parameters<typeof getSummary>
): Promise<{ thread: ThreadRow; summary: SummaryRow }> {
  const found = await getSummary(...which);
  if (found.summary.prepared)
    throw new SpillwayError('summary_not_found', 'This generation is not in place yet: no context shows it.');
  return found;
}

/** The summary of a thread that is not in place yet, as a generation. */
async function preparedOf(rt: Runtime, thread: ThreadRow): Promise<ListedSummary | undefined> {
  if (thread.preparedGeneration === 0) return undefined;
  const found = await readPrepared(rt.store.query, thread.projectId, thread.uid);
  if (!found) return undefined;
  const { state, ...row } = found;
  return { ...row, prepared: state, visibleFromSeq: newest, ...none };
}

const none = {
  author: null,
  restoredFrom: null,
  withdrawnAt: null,
  rewoundBefore: 0,
  undoneAt: null,
  replaces: null,
  holds: null,
};

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
  return pageOf(rows, limit, ({ epoch }) => writeCursor(epoch));
}
