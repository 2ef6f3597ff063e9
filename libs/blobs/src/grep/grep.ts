import { SpillwayError } from '@spillway/engine';
import type { BlobStore } from '../blob-store.js';
import { linesFrom, type IndexedBlob, type Line } from '../lines.js';
import { FoundLines, type GrepMatch } from './found-lines.js';
import { MatchEnded, withMatcher, type Matcher } from './matcher.js';

export interface GrepQuery {
  pattern: string;
  ignoreCase: boolean;
  /** Lines shown before and after a match. */
  context: number;
  /** Matches at most. */
  limit: number;
  /** Line to start from. */
  from: number;
  /** Time it may take; what is not scanned by then is left for the next call. */
  deadlineMs: number;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

export interface GrepResult {
  matches: GrepMatch[];
  truncated: boolean;
  /** Line to go on from; null when the end was reached. */
  nextLine: number | null;
  scannedLines: number;
}

/** Text of this many characters is matched at a time: enough to make the way to the other thread worth it. */
const batchCharacters = 256 * 1024;
/** What a line costs beside its characters: a million empty ones are not for nothing. */
const lineCost = 16;
/** A large pattern takes less at a time, so that a search that is out of time has something to show. */
const batchSteps = 64 * 1024 * 1024;
/** Beyond its deadline a search gets this long to give back what it has. */
const graceMs = 1_000;

/**
 * Searches a blob line by line, in RE2 syntax and time linear in the text, bounded in matches, text shown and time, and
 * resumable at a line. Matching runs on a thread of its own, which is ended when it takes too long, or when the signal
 * is aborted. Throws `unsupported_regex`.
 */
export function grep(store: BlobStore, blob: IndexedBlob, query: GrepQuery): Promise<GrepResult> {
  return withMatcher(async (matcher) => {
    const started = performance.now();
    const left = (): number => query.deadlineMs - (performance.now() - started);
    // A pattern is refused before anything is read.
    const programSize = await compile(matcher, query);
    const characters = Math.min(batchCharacters, batchSteps / programSize);
    const found = new FoundLines(query);
    const stoppedAt = (nextLine: number): GrepResult => ({
      matches: found.matches,
      truncated: true,
      nextLine,
      scannedLines: found.scanned,
    });
    const lines = linesFrom(store, blob, Math.max(1, query.from - query.context));
    for await (const batch of batches(lines, characters)) {
      const text = batch.map((line) => line.text).join('\n');
      const answer = await matcher
        .ask({ text }, Math.max(1, left()) + graceMs, query.signal)
        .catch(unlessEnded);
      if (!answer || !('places' in answer)) {
        // To go on from where it started would be to try the same again.
        if (found.resume === 0) throw new SpillwayError('unsupported_regex', 'The pattern is too slow here.');
        return stoppedAt(found.resume);
      }
      const stop = found.add(batch, answer.places);
      if (stop !== null) return stoppedAt(stop);
      if (left() < 0 || query.signal?.aborted)
        return stoppedAt(Math.max(query.from, batch.at(-1)!.number + 1));
    }
    if (found.unread !== null) return stoppedAt(found.unread);
    return { matches: found.matches, truncated: false, nextLine: null, scannedLines: found.scanned };
  });
}

async function compile(
  matcher: Matcher,
  { pattern, ignoreCase, deadlineMs, signal }: GrepQuery,
): Promise<number> {
  const answer = await matcher.ask({ pattern, ignoreCase }, deadlineMs, signal).catch(unlessEnded);
  if (!answer) throw new SpillwayError('unsupported_regex', 'The pattern takes too long to compile.');
  if (!('programSize' in answer))
    throw new SpillwayError(
      'unsupported_regex',
      'The pattern is not RE2 syntax, or too large once compiled.',
      [{ path: '/pattern', message: 'must be RE2 syntax of a moderate size' }],
    );
  return Math.max(1, answer.programSize);
}

function unlessEnded(error: unknown): undefined {
  if (!(error instanceof MatchEnded)) throw error;
}

async function* batches(lines: AsyncIterable<Line>, characters: number): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line);
    size += line.text.length + lineCost;
    if (size >= characters) {
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
