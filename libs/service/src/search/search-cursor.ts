import { createHash } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import { z } from 'zod';
import type { HitRank } from './search-hit.js';

/**
 * The position of a search. A search ranks one range of messages at a time, the newest first: a page ends within its
 * range or at its end, and the next range is older. Both ends are part of the cursor, so messages recorded meanwhile do
 * not change the order.
 */
export interface SearchPosition {
  /** Newest seq of the range. */
  through: number;
  /** Oldest seq of the range; null for a new range, which ends where time runs out. */
  from: number | null;
  /** The score that a hit needs. */
  minScore: number;
  /** The last hit of the previous page in this range. */
  after: HitRank | null;
}

const seq = z.number().int().min(0).max(2_147_483_647);
const score = z.number().int().min(1).max(100);
const rank = z.tuple([score, seq, z.union([z.null(), z.tuple([z.string().max(64), seq, seq])])]);
const parts = z.tuple([z.string(), seq, z.union([z.null(), seq]), score, z.union([z.null(), rank])]);

/** Opaque to clients, and valid for this query of this thread only. */
export function writeSearchCursor(search: SearchId, position: SearchPosition): string {
  const { through, from, minScore, after } = position;
  const last = after && [
    after.score,
    after.seq,
    after.output && [after.output.id, after.output.line, after.output.column],
  ];
  return Buffer.from(JSON.stringify([digest(search), through, from, minScore, last])).toString('base64url');
}

export interface SearchId {
  threadUid: string;
  q: string;
}

/** Throws `invalid_request` for a cursor that this search did not write. */
export function readSearchCursor(search: SearchId, cursor: string): SearchPosition {
  const read = parts.safeParse(jsonOf(cursor));
  if (read.success && read.data[0] === digest(search)) {
    const [, through, from, minScore, last] = read.data;
    const after: HitRank | null = last && {
      score: last[0],
      seq: last[1],
      output: last[2] && { id: last[2][0], line: last[2][1], column: last[2][2] },
    };
    const position = { through, from, minScore, after };
    if (writeSearchCursor(search, position) === cursor) return position;
  }
  throw new SpillwayError('invalid_request', 'The cursor does not belong to this search.', [
    { path: '/cursor', message: 'must be the next_cursor of a search with the same q' },
  ]);
}

const digest = ({ threadUid, q }: SearchId): string =>
  createHash('sha256').update(`${threadUid}\n${q}`).digest('base64url').slice(0, 12);

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
