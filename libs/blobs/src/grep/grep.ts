import { SpillwayError } from '@spillway/engine';
import type { BlobStore } from '../blob-store.js';
import { maxPieceBytes, piecesFrom, type IndexedBlob, type Position } from '../lines.js';
import {
  charactersBefore,
  FoundLines,
  startOf,
  windowCharacters,
  type GrepMatch,
  type ShownLimit,
} from './found-lines.js';
import { MatchEnded, withMatcher, type Matcher, type MatchLimit } from './matcher.js';
import { batchesOf, type Batch } from './rows.js';

export interface GrepQuery {
  pattern: string;
  ignoreCase: boolean;
  /** Lines shown before and after a match. */
  context: number;
  /** Maximum of matches. */
  limit: number;
  /** Maximum of tokens shown. */
  shown: ShownLimit;
  /** Where to start. */
  from: Position;
  /**
   * Time limit; the rest is left to the next call. Until there is a result, only time in which the search had a core
   * counts, for ten seconds at most.
   */
  deadlineMs: number;
  /** Aborted when nobody waits for the answer. */
  signal?: AbortSignal;
}

export interface GrepResult {
  matches: GrepMatch[];
  truncated: boolean;
  /** The resume position; null at the end of the blob. */
  next: Position | null;
  scannedLines: number;
}

/** Characters matched at a time. A longer line is matched in parts. */
const batchCharacters = 1024 * 1024;
/** A large pattern gets smaller batches, so that a search that runs out of time has a result. */
const batchSteps = 64 * 1024 * 1024;
/** Overlap of the parts of a line in characters. A match up to this length is always found. */
const maxOverlap = 64 * 1024;
/** Grace after the deadline for returning the matches so far. */
const graceMs = 1_000;

/**
 * Searches a blob line by line, in RE2 syntax and time linear in the text. Bounded in matches, shown text and time, and
 * resumable at any character. Lines may have any length. Matching runs on a worker thread, which is ended when it takes
 * too long or the signal is aborted. Throws `unsupported_regex`, and `overloaded` when no core is free.
 */
export function grep(store: BlobStore, blob: IndexedBlob, query: GrepQuery): Promise<GrepResult> {
  return withMatcher(async (matcher) => {
    const started = performance.now();
    const left = (): number => query.deadlineMs - (performance.now() - started);
    // A bad pattern is refused before anything is read.
    const programSize = await compile(matcher, query);
    const characters = Math.max(4_096, Math.min(batchCharacters, Math.floor(batchSteps / programSize)));
    const found = new FoundLines({ ...query, line: query.from.line });
    const result = (next: Position | null): GrepResult => ({
      matches: found.matches,
      truncated: next !== null,
      next,
      scannedLines: found.scanned,
    });
    // Within a line, the previous character tells whether a word starts.
    const isInside = query.from.offset !== null;
    const first = isInside ? query.from : startOf(Math.max(1, query.from.line - query.context));
    const pieces = piecesFrom(store, blob, first, Math.min(maxPieceBytes, characters));
    const overlap = Math.min(maxOverlap, Math.floor(characters / 4));
    let at: Position | null = null;
    for await (const batch of batchesOf(pieces, { characters, overlap }, isInside ? 1 : 0)) {
      const limit = query.limit - found.matches.length + 1;
      const ms = Math.max(1, left()) + graceMs;
      // Without a result yet, a machine that is busy with other work must not have a good pattern refused.
      const matches = await matchesIn(
        matcher,
        batch,
        limit,
        at === null ? { cpuMs: ms } : { wallMs: ms },
        query,
      );
      if (!matches) {
        // Resuming at the same position would loop.
        if (at === null)
          throw new SpillwayError('unsupported_regex', 'The search with this pattern timed out.');
        return result(at);
      }
      const stop = found.add(batch, matches);
      if (stop) return result(stop);
      const isAll = batch.rows.at(-1)!.isEnd && batch.rows.at(-1)!.end >= blob.bytes;
      at = batch.next;
      if ((left() < 0 || query.signal?.aborted) && !isAll)
        return result(found.unread ?? resumable(at, query));
    }
    return result(found.unread);
  });
}

/** Lines before the first one are read for context only; a search that stops among them resumes at the first one. */
const resumable = (at: Position, { from }: GrepQuery): Position => (at.line < from.line ? from : at);

async function matchesIn(
  matcher: Matcher,
  { rows, reach }: Batch,
  limit: number,
  within: MatchLimit,
  { from, signal }: GrepQuery,
) {
  const text = rows.map((row) => row.text).join('\n');
  const shown = { before: charactersBefore, total: windowCharacters };
  const first = rows.findIndex((row) => row.number >= from.line);
  if (first < 0) return [];
  const question = { text, first, skip: rows[0]!.skip, reach, shown, limit };
  const answer = await matcher.ask(question, within, signal).catch(unlessEnded);
  return answer && 'matches' in answer ? answer.matches : undefined;
}

async function compile(
  matcher: Matcher,
  { pattern, ignoreCase, deadlineMs, signal }: GrepQuery,
): Promise<number> {
  const answer = await matcher.ask({ pattern, ignoreCase }, { cpuMs: deadlineMs }, signal).catch(unlessEnded);
  if (!answer) throw new SpillwayError('unsupported_regex', 'The pattern takes too long to compile.');
  if (!('programSize' in answer))
    throw new SpillwayError('unsupported_regex', 'The pattern is not valid RE2 syntax, or is too large.', [
      { path: '/pattern', message: 'must be valid RE2 syntax of limited size' },
    ]);
  return Math.max(1, answer.programSize);
}

function unlessEnded(error: unknown): undefined {
  if (!(error instanceof MatchEnded)) throw error;
}
