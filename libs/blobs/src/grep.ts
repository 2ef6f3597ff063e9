import { SpillwayError } from '@spillway/engine';
import { RE2JS } from 're2js';
import type { BlobStore } from './blob-store.js';
import { linesFrom, type IndexedBlob, type Line } from './lines.js';

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

/** RE2 syntax, in time linear in the text. Throws `unsupported_regex` for what RE2 refuses, such as backreferences. */
export function compilePattern(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SpillwayError('unsupported_regex', `The pattern is not RE2 syntax: ${why}`);
  }
}

const linesBetweenPauses = 2000;

/** Searches a blob line by line, bounded in matches and time, and resumable at a line. */
export async function grep(store: BlobStore, blob: IndexedBlob, query: GrepQuery): Promise<GrepResult> {
  const matches = compilePattern(query.pattern, query.ignoreCase);
  const started = performance.now();
  const found: GrepMatch[] = [];
  const waiting: { match: GrepMatch; missing: number }[] = [];
  const before: Line[] = [];
  let scanned = 0;
  for await (const line of linesFrom(store, blob, Math.max(1, query.from - query.context))) {
    for (const open of waiting) {
      open.match.after.push(line.text);
      open.missing--;
    }
    while (waiting[0]?.missing === 0) waiting.shift();
    if (line.number >= query.from) {
      const full = found.length >= query.limit;
      if (full && waiting.length === 0) return stopped(found, line.number, scanned);
      if (!full) {
        scanned++;
        if (matches(line.text)) {
          const match = { line: line.number, text: line.text, before: before.map((l) => l.text), after: [] };
          found.push(match);
          if (query.context > 0) waiting.push({ match, missing: query.context });
        }
      }
      if (performance.now() - started > query.deadlineMs) return stopped(found, line.number + 1, scanned);
      // Other requests get their turn.
      if (scanned % linesBetweenPauses === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    before.push(line);
    if (before.length > query.context) before.shift();
  }
  return { matches: found, truncated: false, nextLine: null, scannedLines: scanned };
}

const stopped = (matches: GrepMatch[], nextLine: number, scannedLines: number): GrepResult => ({
  matches,
  truncated: true,
  nextLine,
  scannedLines,
});
