import {
  candidateOf,
  isInNone,
  rankCandidates,
  SpillwayError,
  termWeights,
  type SearchStatistics,
  type SearchTerms,
} from '@spillway/engine';
import type { SearchPosition } from './search-cursor.js';
import { compareHits, type Found, type RankedHit, type SearchCandidate } from './search-hit.js';

/** The newest part of a range: its messages, newest first, each with its possible hits. */
export interface SearchSlice {
  /** Oldest seq of the slice. */
  from: number;
  messages: AsyncIterable<FoundMessage>;
}

/** The newest slice of the messages from a seq through another. */
type ReadSlice = (from: number, through: number) => Promise<SearchSlice>;

/** Texts of one message and its outputs. Messages without any may be left out. */
export interface FoundMessage {
  seq: number;
  found: Found[];
  /** An output of it is too large to be searched to its end. */
  cut: boolean;
}

export interface SearchClock {
  /** Ms from an arbitrary origin. */
  now(): number;
  /** A new range ends after this time. */
  rangeMs: number;
  /** Time limit of a range that was searched before. */
  maxMs: number;
}

export interface RangeOptions {
  terms: SearchTerms;
  limit: number;
  /** Oldest seq to search. */
  oldest: number;
}

export interface SearchPage {
  hits: RankedHit[];
  /** By term: the rarer, the higher. */
  weights: number[];
  /** Null when everything was searched and returned. */
  next: SearchPosition | null;
  /** Older messages were not searched yet, or an output is too large to be searched to its end. */
  truncated: boolean;
}

/** A new range ends with so many texts, or so many characters of passages, in memory. */
const maxCandidates = 20_000;
const maxPassageCharacters = 16 * 1024 * 1024;

/**
 * Returns one page of hits. Following `next` to its end returns every hit once: pages of one range follow the same
 * order, and the next range begins where it ended. Throws `search_timeout` when a range takes far longer than it did
 * before.
 */
export async function searchRange(
  slices: ReadSlice,
  position: SearchPosition,
  { terms, limit, oldest }: RangeOptions,
  clock: SearchClock,
): Promise<SearchPage> {
  const { through, floor, within } = position;
  const { candidates, unsearched, cut } = await readRange(slices, position, { terms, oldest }, clock);
  const ranked = rankCandidates(candidates, terms, {
    texts: through - unsearched,
    floor,
    fixed: within?.statistics ?? null,
    isAskedFor: (candidate) => candidate.isAskedFor,
  });
  const after = within?.after;
  const hits = ranked.hits.sort(compareHits).filter((hit) => !after || compareHits(hit, after) > 0);
  const page = hits.slice(0, limit);
  return {
    hits: page,
    weights: termWeights(ranked.statistics),
    next: nextPosition(
      { through, unsearched, oldest },
      ranked.statistics,
      hits.length > limit ? page.at(-1)! : null,
    ),
    truncated: unsearched >= oldest || cut,
  };
}

interface ReadRange {
  candidates: SearchCandidate[];
  /** The newest seq that was not read; below the oldest when all was. */
  unsearched: number;
  /** An output is too large to be searched to its end. */
  cut: boolean;
}

/**
 * Reads possible hits, the newest first. A new range ends at the first message beyond a bound of time or memory; one
 * that was read before ends where it ended.
 */
async function readRange(
  slices: ReadSlice,
  { through, within }: SearchPosition,
  { terms, oldest }: Pick<RangeOptions, 'terms' | 'oldest'>,
  clock: SearchClock,
): Promise<ReadRange> {
  const started = clock.now();
  const end = within?.from ?? oldest;
  const candidates: SearchCandidate[] = [];
  let characters = 0;
  let unsearched = through;
  let isOver = false;
  let cut = false;
  const isOut = (): boolean =>
    isOverTime(clock, started, within !== null) ||
    (within === null && (candidates.length > maxCandidates || characters > maxPassageCharacters));
  while (unsearched >= end && !isOver) {
    const slice = await slices(end, unsearched);
    let reached = unsearched + 1;
    for await (const message of slice.messages) {
      // Checked only between messages, so that a range never ends inside one.
      isOver = reached <= unsearched && isOut();
      if (isOver) break;
      reached = message.seq;
      cut ||= message.cut;
      for (const found of message.found) {
        const candidate = searchCandidate(found, terms);
        if (isInNone(candidate.counts)) continue;
        candidates.push(candidate);
        characters += found.output === null ? 0 : found.text.length;
      }
    }
    unsearched = (isOver ? reached : slice.from) - 1;
    isOver ||= isOut();
  }
  return { candidates, unsearched, cut };
}

/** The rest of the range after its last hit on this page, or else older messages. */
function nextPosition(
  { through, unsearched, oldest }: { through: number; unsearched: number; oldest: number },
  statistics: SearchStatistics,
  last: RankedHit | null,
): SearchPosition | null {
  const { strict, minLevel } = statistics;
  const floor = { strict, minLevel };
  if (last) {
    const { level, score, seq, output } = last;
    return {
      through,
      floor,
      within: { from: unsearched + 1, statistics, after: { level, score, seq, output } },
    };
  }
  const isPartial = unsearched >= oldest;
  const older = { through: unsearched, floor, within: null };
  return isPartial ? older : null;
}

function searchCandidate(found: Found, terms: SearchTerms): SearchCandidate {
  const { role, output, from, text, isAskedFor } = found;
  // A copy: a slice would keep the whole batch that it was read from in memory.
  const passage = output === null ? null : Buffer.from(text).toString();
  return { ...candidateOf(found, terms), role, output, from, passage, isAskedFor };
}

function isOverTime(clock: SearchClock, started: number, wasSearched: boolean): boolean {
  const ms = clock.now() - started;
  if (!wasSearched) return ms > clock.rangeMs;
  if (ms <= clock.maxMs) return false;
  throw new SpillwayError(
    'search_timeout',
    `The search took longer than ${clock.maxMs} ms. Retry it, or search for a rarer word.`,
  );
}
