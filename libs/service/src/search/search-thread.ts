import { readMessage, searchableText, searchTerms, SpillwayError, type SearchTerms } from '@spillway/engine';
import {
  coveringGeneration,
  isStatementTimeout,
  readableOutputsBetween,
  searchMessages,
  type FoundMessage as FoundRow,
} from '@spillway/store';
import { storedOf } from '../messages/entries.js';
import { getThread } from '../threads/get-thread.js';
import type { Runtime } from '../runtime.js';
import { withSearchSlot } from './search-slots.js';
import { readSearchCursor, writeSearchCursor } from './search-cursor.js';
import type { Found, ScoredHit } from './search-hit.js';
import { searchOutput, type SearchedOutput } from './search-outputs.js';
import { searchRange, type FoundMessage, type SearchSlice } from './search-range.js';

export interface ThreadSearch {
  projectId: string;
  threadId: string;
  q: string;
  limit: number;
  cursor?: string | undefined;
  /** False: offloaded outputs are not searched, for callers who may not read them. Default: true. */
  withOutputs?: boolean;
}

export interface SearchHit extends Omit<ScoredHit, 'score'> {
  /** The generation that summarizes the message; null while it is in the context verbatim. */
  coveredBy: number | null;
}

export interface SearchHits {
  hits: SearchHit[];
  nextCursor: string | null;
  truncated: boolean;
}

const clock = { now: () => performance.now(), rangeMs: 1_500, maxMs: 6_000 };

/**
 * Searches every message of a thread, summarized or not, and its offloaded outputs. The best hits come first: the whole
 * query, then all of its words, then most of them; newer before older. A search of a long thread ranks its newest
 * messages first and continues with older ones at `nextCursor`. Throws `search_timeout`, `too_many_searches`.
 */
export async function searchThread(rt: Runtime, search: ThreadSearch): Promise<SearchHits> {
  const { projectId, threadId, q, limit, cursor, withOutputs = true } = search;
  const thread = await getThread(rt, projectId, threadId);
  const terms = searchTerms(q);
  if (terms.parts.length === 0) {
    throw new SpillwayError('invalid_request', 'The query is empty.', [
      { path: '/q', message: 'must contain a word' },
    ]);
  }
  const id = { threadUid: thread.uid, q };
  const of = { projectId, threadUid: thread.uid };
  const position =
    cursor === undefined
      ? { through: thread.nextSeq - 1, from: null, minScore: 1, after: null }
      : readSearchCursor(id, cursor);
  const slices = (from: number, through: number) => sliceOf(rt, { ...of, from, through }, terms, withOutputs);
  const page = await withSearchSlot(projectId, () =>
    searchRange(slices, position, { terms, limit }, clock).catch(explainTimeout),
  );
  const covered = await coveringGeneration(
    rt.store.query,
    of,
    page.hits.map((hit) => hit.seq),
  );
  return {
    hits: page.hits.map((hit) => ({ ...hit, coveredBy: covered.get(hit.seq) ?? null })),
    nextCursor: page.next && writeSearchCursor(id, page.next),
    truncated: page.truncated,
  };
}

async function sliceOf(
  rt: Runtime,
  range: { projectId: string; threadUid: string; from: number; through: number },
  terms: SearchTerms,
  withOutputs: boolean,
): Promise<SearchSlice> {
  const { from, found } = await searchMessages(rt.store.query, { ...range, parts: terms.parts });
  const outputs = withOutputs ? await readableOutputsBetween(rt.store, { ...range, from }) : [];
  return { from, messages: newestFirst(rt, found, outputs, terms) };
}

async function* newestFirst(
  rt: Runtime,
  rows: readonly FoundRow[],
  outputs: readonly SearchedOutput[],
  terms: SearchTerms,
): AsyncGenerator<FoundMessage> {
  const rowOf = new Map(rows.map((row) => [row.seq, row]));
  const outputsOf = Map.groupBy(outputs, (output) => output.seq!);
  const seqs = [...new Set([...rowOf.keys(), ...outputsOf.keys()])].sort((a, b) => b - a);
  for (const seq of seqs) {
    const row = rowOf.get(seq);
    const found: Found[] = row
      ? [{ seq, role: row.role, output: null, text: searchableText(readMessage(storedOf(row))) }]
      : [];
    let cut = false;
    for (const output of outputsOf.get(seq) ?? []) {
      const lines = await searchOutput(rt, output, terms);
      for (const line of lines.found) found.push(line);
      cut ||= lines.cut;
    }
    yield { seq, found, cut };
  }
}

/** A statement that our own timeout ended is slow; the database is not unavailable. */
function explainTimeout(error: unknown): never {
  if (!isStatementTimeout(error)) throw error;
  throw new SpillwayError(
    'search_timeout',
    'The search took too long. Retry it, or search for a longer or rarer word.',
    undefined,
    { cause: error },
  );
}
