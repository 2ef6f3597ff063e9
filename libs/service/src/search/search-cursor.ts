import { createHash } from 'node:crypto';
import type { SearchFloor, SearchStatistics } from '@spillway/engine';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../paging/cursor-codec.js';
import type { HitRank } from './search-hit.js';

/**
 * The position of a search. A search ranks one range of messages at a time, the newest first: a page ends within its
 * range or at its end, and the next range is older. Both ends and the weights of the terms are part of the cursor, so
 * messages recorded meanwhile change no order.
 */
export interface SearchPosition {
  /** Newest seq of the range. */
  through: number;
  /** What newer ranges settled. */
  floor: SearchFloor;
  /** A page within a range; null for a new range, which ends where time runs out. */
  within: { from: number; statistics: SearchStatistics; after: HitRank } | null;
}

const whole = z.number().int().min(0).max(2_147_483_647);
const level = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
const output = z.tuple([z.string().max(64), whole, whole]);

/** What a cursor of this search holds: its digest comes first, so a cursor of another search does not fit. */
const partsOf = ({ terms, ...search }: SearchId) => {
  const statistics = z.tuple([whole, whole, z.array(whole).length(terms)]);
  const after = z.tuple([level, whole, whole, z.union([z.null(), output])]);
  const strict = z
    .number()
    .int()
    .min(0)
    .max(2 ** terms - 1);
  const within = z.tuple([whole, statistics, after]);
  return z.tuple([z.literal(digest(search)), whole, strict, level, z.union([z.null(), within])]);
};

const refusal = {
  detail: 'The cursor does not belong to this search.',
  message: 'must be the next_cursor of a search with the same q and filters',
};

/** Opaque to clients, and valid for this query of this thread only. */
export function writeSearchCursor(search: SearchId, { through, floor, within }: SearchPosition): string {
  const page = within && [
    within.from,
    [within.statistics.texts, within.statistics.length, within.statistics.found],
    [
      within.after.level,
      within.after.score,
      within.after.seq,
      within.after.output && [within.after.output.id, within.after.output.line, within.after.output.column],
    ],
  ];
  const { strict, minLevel } = within?.statistics ?? floor;
  const bits = strict.reduce((sum, isStrict, i) => sum + (isStrict ? 2 ** i : 0), 0);
  return encodeCursor([digest(search), through, bits, minLevel, page]);
}

export interface SearchId {
  threadUid: string;
  /** The query and its filters. */
  asked: readonly unknown[];
  /** Terms of the query. */
  terms: number;
}

/** Throws `invalid_request` for a cursor that this search did not write. */
export function readSearchCursor(search: SearchId, cursor: string): SearchPosition {
  const [, through, bits, minLevel, page] = decodeCursor(cursor, partsOf(search), refusal);
  const strict = Array.from({ length: search.terms }, (_, i) => (bits & (1 << i)) !== 0);
  const floor = { strict, minLevel };
  if (!page) return { through, floor, within: null };
  const [from, [texts, length, found], [level, score, seq, output]] = page;
  const at = output && { id: output[0], line: output[1], column: output[2] };
  const statistics = { texts, length, found, ...floor };
  return { through, floor, within: { from, statistics, after: { level, score, seq, output: at } } };
}

const digest = ({ threadUid, asked }: Omit<SearchId, 'terms'>): string =>
  createHash('sha256')
    .update(`${threadUid}\n${JSON.stringify(asked)}`)
    .digest('base64url')
    .slice(0, 12);
