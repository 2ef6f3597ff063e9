import { createHash } from 'node:crypto';
import { SpillwayError, type SearchFloor, type SearchStatistics } from '@spillway/engine';
import { z } from 'zod';
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
const within = z.tuple([
  whole,
  z.tuple([whole, whole, z.array(whole).max(32)]),
  z.tuple([level, whole, whole, z.union([z.null(), output])]),
]);
const parts = z.tuple([z.string(), whole, whole, level, z.union([z.null(), within])]);

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
  const written = [digest(search), through, bits, minLevel, page];
  return Buffer.from(JSON.stringify(written)).toString('base64url');
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
  const read = parts.safeParse(jsonOf(cursor));
  if (read.success && read.data[0] === digest(search)) {
    const [, through, bits, minLevel, page] = read.data;
    const strict = Array.from({ length: search.terms }, (_, i) => (bits & (1 << i)) !== 0);
    const floor = { strict, minLevel };
    const position: SearchPosition = { through, floor, within: null };
    if (page) {
      const [from, [texts, length, found], [level, score, seq, output]] = page;
      const at = output && { id: output[0], line: output[1], column: output[2] };
      const statistics = { texts, length, found, ...floor };
      position.within = { from, statistics, after: { level, score, seq, output: at } };
    }
    const isOurs = page === null || page[1][2].length === search.terms;
    if (isOurs && writeSearchCursor(search, position) === cursor) return position;
  }
  throw new SpillwayError('invalid_request', 'The cursor does not belong to this search.', [
    { path: '/cursor', message: 'must be the next_cursor of a search with the same q and filters' },
  ]);
}

const digest = ({ threadUid, asked }: SearchId): string =>
  createHash('sha256')
    .update(`${threadUid}\n${JSON.stringify(asked)}`)
    .digest('base64url')
    .slice(0, 12);

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
