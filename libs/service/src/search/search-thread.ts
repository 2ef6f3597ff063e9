import { noFloor, type Speaker, type Spoken } from '@spillway/engine';
import { coveringGeneration } from '@spillway/store';
import { getThread } from '../threads/get-thread.js';
import type { Runtime } from '../runtime.js';
import { withSearchSlot } from './search-slots.js';
import { readSearchCursor, writeSearchCursor } from './search-cursor.js';
import type { SearchFilters } from './search-filters.js';
import type { HitPlace } from './search-hit.js';
import { explainTimeout, termsOf } from './search-errors.js';
import { searchRange } from './search-range.js';
import { searchedSlice } from './searched-slice.js';
import { showHits, type PairedHit, type ShownHit } from './show-hits.js';

export interface ThreadSearch extends SearchFilters {
  projectId: string;
  threadId: string;
  q: string;
  limit: number;
  cursor?: string | undefined;
  /** Tokens of all windows of a page. Default: a quarter of the context's limit, at most 4,000. */
  maxTokens?: number | undefined;
  /** False: offloaded outputs are not searched, for callers who may not read them. Default: true. */
  withOutputs?: boolean;
}

export interface SearchHit extends HitPlace, ShownHit, Speaker {
  /** `any`: it has some of the words, or has them far from each other. */
  match: 'all' | 'any';
  snippet: string;
  /** The call of a result, or the result of a call. */
  pair: PairedHit | null;
  /** Short messages that were said soon after it, of the best hits. */
  followedBy: Spoken[];
  /** The generation that summarizes the message; null while it is in the context verbatim. */
  coveredBy: number | null;
}

export interface SearchHits {
  hits: SearchHit[];
  nextCursor: string | null;
  truncated: boolean;
}

const clock = { now: () => performance.now(), rangeMs: 1_500, maxMs: 6_000 };

/** Tokens of a page: a search should not fill the context that it is for. */
const maxPageTokens = 4_000;
const pageShare = 0.25;

/**
 * Searches every message of a thread, summarized or not, and its offloaded outputs; nothing that was rewound. The best
 * hits come first: the whole query, then all of its words close together, then the rarest of them; newer before older.
 * A search of a long thread ranks its newest messages first and continues with older ones at `nextCursor`. Throws
 * `search_timeout`, `too_many_searches`.
 */
export async function searchThread(rt: Runtime, search: ThreadSearch): Promise<SearchHits> {
  const { projectId, threadId, q, limit, cursor, withOutputs = true } = search;
  const { role, tool, kind, fromSeq = 1, toSeq } = search;
  const thread = await getThread(rt, projectId, threadId);
  const terms = termsOf(q);
  const filters = { role, tool, kind };
  const asked = [q, role, tool, kind, fromSeq, toSeq, withOutputs];
  const id = { threadUid: thread.uid, asked, terms: terms.terms.length };
  const of = { projectId, threadUid: thread.uid };
  const through = Math.min(thread.nextSeq - 1, toSeq ?? thread.nextSeq - 1);
  const position =
    cursor === undefined ? { through, floor: noFloor(terms), within: null } : readSearchCursor(id, cursor);
  const slices = (from: number, through: number) =>
    searchedSlice(rt, { ...of, from, through, terms, filters, withOutputs });
  const { count, budget } = await rt.settings.ofId(projectId, threadId);
  const maxTokens = search.maxTokens ?? Math.min(maxPageTokens, Math.floor(budget.limit * pageShare));
  return withSearchSlot(projectId, async () => {
    const page = await searchRange(slices, position, { terms, limit, oldest: fromSeq }, clock).catch(
      explainTimeout,
    );
    const { weights } = page;
    const shown = await showHits(rt, of, page.hits, { terms, weights, count, maxTokens, through });
    const seqs = page.hits.map((hit) => hit.seq);
    const covered = await coveringGeneration(rt.store.query, of, seqs);
    return {
      hits: shown.map(({ hit: { seq, role, level, output }, ...text }) => ({
        ...text,
        seq,
        role,
        output,
        match: level > 0 ? 'all' : 'any',
        coveredBy: covered.get(seq) ?? null,
      })),
      nextCursor: page.next && writeSearchCursor(id, page.next),
      truncated: page.truncated,
    };
  });
}
