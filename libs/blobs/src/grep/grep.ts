import type { BlobStore } from '../blob-store.js';
import { linesFrom, type IndexedBlob, type Line } from '../lines.js';
import { matcher, MatchTimeout } from './matcher.js';

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
}

export interface GrepMatch {
  line: number;
  text: string;
  before: string[];
  after: string[];
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
/** Beyond its deadline a search gets this long to give back what it has. */
const graceMs = 1_000;

/**
 * Searches a blob line by line, in RE2 syntax and time linear in the text, bounded in matches and time, and resumable
 * at a line. Matching runs on a thread of its own, which is ended when it takes too long. Throws `unsupported_regex`.
 */
export async function grep(store: BlobStore, blob: IndexedBlob, query: GrepQuery): Promise<GrepResult> {
  const started = performance.now();
  const left = (): number => query.deadlineMs - (performance.now() - started);
  const search = new Search(query);
  // A pattern is refused before anything is read.
  await isMatch([], query, query.deadlineMs);
  for await (const batch of batches(linesFrom(store, blob, Math.max(1, query.from - query.context)))) {
    let places: number[];
    try {
      places = await isMatch(batch, query, Math.max(1, left()) + graceMs);
    } catch (error) {
      if (!(error instanceof MatchTimeout)) throw error;
      return search.stoppedAt(batch[0]!.number);
    }
    const stop = search.add(batch, new Set(places));
    if (stop !== null) return search.stoppedAt(stop);
    if (left() < 0) return search.stoppedAt(batch.at(-1)!.number + 1);
  }
  if (search.unread !== null) return search.stoppedAt(search.unread);
  return { matches: search.matches, truncated: false, nextLine: null, scannedLines: search.scanned };
}

const isMatch = (
  lines: readonly Line[],
  { pattern, ignoreCase }: GrepQuery,
  withinMs: number,
): Promise<number[]> =>
  matcher.match({ pattern, ignoreCase, text: lines.map((line) => line.text).join('\n') }, withinMs);

async function* batches(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line);
    size += line.text.length;
    if (size >= batchCharacters) {
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Matches with the lines around them, gathered in file order. */
class Search {
  readonly matches: GrepMatch[] = [];
  scanned = 0;
  /** The first line that was not looked at, though it may be shown after a match. */
  resume = 0;
  private last = 0;
  private readonly before: string[] = [];
  private readonly open: { match: GrepMatch; missing: number }[] = [];

  constructor(private readonly query: GrepQuery) {}

  /** Takes lines with the places of those that match. Gives the line to go on from when there are enough. */
  add(lines: readonly Line[], places: ReadonlySet<number>): number | null {
    const { from, limit, context } = this.query;
    for (const [i, { number, text }] of lines.entries()) {
      for (const open of this.open) {
        open.match.after.push(text);
        open.missing--;
      }
      while (this.open[0]?.missing === 0) this.open.shift();
      if (number >= from) {
        const isFull = this.matches.length >= limit;
        if (isFull && this.open.length === 0) return this.resume;
        if (!isFull) {
          this.scanned++;
          this.resume = number + 1;
          if (places.has(i)) this.found({ line: number, text, before: [...this.before], after: [] });
        }
      }
      this.last = number;
      this.before.push(text);
      if (this.before.length > context) this.before.shift();
    }
    return null;
  }

  private found(match: GrepMatch): void {
    this.matches.push(match);
    if (this.query.context > 0) this.open.push({ match, missing: this.query.context });
  }

  /** Lines that were shown and never looked at, because there were enough matches by then. */
  get unread(): number | null {
    return this.matches.length >= this.query.limit && this.last >= this.resume ? this.resume : null;
  }

  stoppedAt(nextLine: number): GrepResult {
    return { matches: this.matches, truncated: true, nextLine, scannedLines: this.scanned };
  }
}
