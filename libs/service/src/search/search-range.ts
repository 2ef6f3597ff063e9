import { SpillwayError } from '@spillway/engine';
import { BestHits, type BestHitsOptions } from './best-hits.js';
import type { SearchPosition } from './search-cursor.js';
import type { Found, ScoredHit } from './search-hit.js';

/** The newest part of a range: its messages, newest first, each with its possible hits. */
export interface SearchSlice {
  /** Oldest seq of the slice. */
  from: number;
  messages: AsyncIterable<FoundMessage>;
}

/** Hits in one message and its outputs. Messages without any may be left out. */
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

export interface SearchPage {
  hits: ScoredHit[];
  /** Null when everything was searched and returned. */
  next: SearchPosition | null;
  /** Older messages were not searched yet, or an output is too large to be searched to its end. */
  truncated: boolean;
}

/**
 * Returns one page of hits. Following `next` to its end returns every hit once: pages of one range follow the same
 * order, and the next range begins where it ended. Throws `search_timeout` when a range takes far longer than it did
 * before.
 */
export async function searchRange(
  slices: (from: number, through: number) => Promise<SearchSlice>,
  position: SearchPosition,
  options: Pick<BestHitsOptions, 'terms' | 'limit'>,
  clock: SearchClock,
): Promise<SearchPage> {
  const best = new BestHits({ ...options, after: position.after, minScore: position.minScore });
  const started = clock.now();
  const end = position.from ?? 1;
  let unsearched = position.through;
  let outOfTime = false;
  let cut = false;
  while (unsearched >= end && !outOfTime && !(position.from === null && best.isFull)) {
    const slice = await slices(end, unsearched);
    let reached = unsearched + 1;
    for await (const message of slice.messages) {
      // Time is checked only between messages, so that a range never ends inside one.
      outOfTime = reached <= unsearched && isOver(clock, started, position);
      if (outOfTime) break;
      reached = message.seq;
      cut ||= message.cut;
      for (const found of message.found) best.add(found);
    }
    unsearched = (outOfTime ? reached : slice.from) - 1;
    outOfTime ||= isOver(clock, started, position);
  }
  const { hits, more } = best.page();
  const { minScore } = best;
  const last = hits.at(-1);
  const isPartial = unsearched >= 1;
  const truncated = isPartial || cut;
  if (more && last)
    return {
      hits,
      next: { through: position.through, from: unsearched + 1, minScore, after: last },
      truncated,
    };
  const older = { through: unsearched, from: null, minScore, after: null };
  return { hits, next: isPartial ? older : null, truncated };
}

function isOver(clock: SearchClock, started: number, { from }: SearchPosition): boolean {
  const ms = clock.now() - started;
  if (from === null) return ms > clock.rangeMs;
  if (ms <= clock.maxMs) return false;
  throw new SpillwayError(
    'search_timeout',
    `The search took longer than ${clock.maxMs} ms. Retry it, or search for a rarer word.`,
  );
}
