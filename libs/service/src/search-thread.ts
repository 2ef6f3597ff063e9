import {
  readMessage,
  searchableText,
  searchScore,
  searchTerms,
  snippetOf,
  SpillwayError,
  type SearchTerms,
} from '@spillway/engine';
import { coveringGeneration, searchMessages } from '@spillway/store';
import { storedOf } from './entries.js';
import { getThread } from './get-thread.js';
import type { Runtime } from './runtime.js';
import { searchOutputs } from './search-outputs.js';
import { withSearchSlot } from './search-slots.js';

export interface ThreadSearch {
  projectId: string;
  threadId: string;
  q: string;
  limit: number;
  /** False: offloaded outputs are not searched, for callers who may not read them. True when left out. */
  withOutputs?: boolean;
}

export interface SearchHit {
  seq: number;
  role: string;
  snippet: string;
  /** The generation that stands for the message in the context; null while it is there verbatim. */
  coveredBy: number | null;
  /** Where it was found, when that is in an offloaded output. */
  output: { id: string; line: number } | null;
}

export interface FoundHits {
  hits: SearchHit[];
  truncated: boolean;
}

/**
 * Searches all that was ever said in a thread, summarized or not, and the outputs that were offloaded. The best
 * answers first: the whole query, then all of its words, then the most of them; newer before older. Throws
 * `too_many_searches`.
 */
export async function searchThread(
  rt: Runtime,
  { projectId, threadId, q, limit, withOutputs = true }: ThreadSearch,
): Promise<FoundHits> {
  const thread = await getThread(rt, projectId, threadId);
  const terms = searchTerms(q);
  if (terms.parts.length === 0) {
    throw new SpillwayError('invalid_request', 'There is nothing to search for.', [
      { path: '/q', message: 'must hold a word' },
    ]);
  }
  const of = { projectId, threadUid: thread.uid };
  return withSearchSlot(projectId, () => search(rt, of, terms, { limit, withOutputs }));
}

async function search(
  rt: Runtime,
  of: { projectId: string; threadUid: string },
  terms: SearchTerms,
  { limit, withOutputs }: { limit: number; withOutputs: boolean },
): Promise<FoundHits> {
  const inMessages = searchMessages(rt.store.query, {
    ...of,
    whole: [terms.whole],
    parts: terms.parts,
    limit,
  });
  const inOutputs = withOutputs ? searchOutputs(rt, of, terms, limit) : { hits: [], truncated: false };
  const [messages, outputs] = await Promise.all([inMessages, inOutputs]);
  const covered = await coveringGeneration(
    rt.store.query,
    of,
    outputs.hits.map((hit) => hit.seq),
  );
  const found = [
    ...messages.map((row) => ({ ...row, output: null, text: searchableText(readMessage(storedOf(row))) })),
    ...outputs.hits.map((hit) => ({ ...hit, coveredBy: covered.get(hit.seq) ?? null })),
  ];
  const hits = best(found, terms).slice(0, limit);
  return {
    hits: hits.map(({ seq, role, coveredBy, output, text }) => ({
      seq,
      role,
      snippet: snippetOf(text, terms),
      coveredBy,
      output,
    })),
    truncated: outputs.truncated,
  };
}

/** Once something has all of the query, what has only some of it is noise. */
function best<T extends { seq: number; text: string }>(found: readonly T[], terms: SearchTerms): T[] {
  const scored = found
    .map((hit) => ({ hit, score: searchScore(hit.text, terms) }))
    .filter(({ score }) => score > 0);
  const enough = scored.some(({ score }) => score >= terms.parts.length) ? terms.parts.length : 1;
  return scored
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score || b.hit.seq - a.hit.seq)
    .map(({ hit }) => hit);
}
