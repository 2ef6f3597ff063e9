import type { Position } from '../lines.js';
import type { RowMatch } from './match-worker.js';
import { positionIn, wholeFrom, type Batch, type Row } from './rows.js';

export interface GrepMatch {
  line: number;
  /** Where the match starts: the character in the line, from 1, and the byte in the output. */
  column: number;
  offset: number;
  /** The line, or the part around the match of a long one. */
  text: string;
  before: string[];
  after: string[];
}

/** Limits of one answer. */
export interface ShownLimit {
  tokens: number;
  count: (text: string) => number;
}

/** Maximum of characters in one answer, whatever their tokens. */
const maxCharacters = 64 * 1024;
/** A longer line is shown around its match. */
export const windowCharacters = 2_048;
/** Characters shown before the match in a longer line. */
export const charactersBefore = 256;
/** Tokens of a match beside its text: line, column and offset. */
const tokensOfMatch = 24;

/** Collects matches with the lines around them, in file order, until there are enough. */
export class FoundLines {
  readonly matches: GrepMatch[] = [];
  /** Lines that were searched to their end. */
  scanned = 0;
  /** The resume position; null while everything so far was searched. */
  private resume: Position | null = null;
  private characters = 0;
  private tokens = 0;
  private readonly before: string[] = [];
  private readonly open: { match: GrepMatch; missing: number }[] = [];

  constructor(private readonly query: { line: number; limit: number; context: number; shown: ShownLimit }) {}

  /** Adds rows with their matches. Returns the resume position when the answer is full. */
  add({ rows }: Batch, matches: readonly RowMatch[]): Position | null {
    const ofRow = Map.groupBy(matches, (match) => match.row);
    for (const [i, row] of rows.entries()) {
      if (row.column === 0) this.showAfter(row);
      if (this.resume) {
        if (this.open.length === 0) return this.resume;
        continue;
      }
      if (row.number >= this.query.line) this.look(row, ofRow.get(i) ?? []);
      if (row.column === 0) this.before.push(windowOf(row, 0));
      if (this.before.length > this.query.context) this.before.shift();
    }
    return this.resume && this.open.length === 0 ? this.resume : null;
  }

  /** The resume position after the last row, when the answer became full before it. */
  get unread(): Position | null {
    return this.resume;
  }

  private look(row: Row, matches: readonly RowMatch[]): void {
    for (const [i, { at }] of matches.entries()) {
      const match = this.matchAt(row, at, i);
      if (this.matches.length < this.query.limit && this.take(match)) continue;
      this.resume =
        i === 0 && row.column === 0
          ? startOf(row.number)
          : positionIn(row, wholeFrom(row.text, Math.max(0, at - 1)));
      return;
    }
    if (row.isEnd) this.scanned++;
  }

  private matchAt(row: Row, at: number, i: number): GrepMatch {
    const { line, column, offset } = positionIn(row, at);
    const before = i === 0 && row.column === 0 ? this.lastThatFit() : [];
    return { line, column: column + 1, offset, text: windowOf(row, at), before, after: [] };
  }

  /** Lines before a match; fewer when they alone would fill the answer. */
  private lastThatFit(): string[] {
    const shown: string[] = [];
    let [characters, tokens] = [this.characters + windowCharacters, this.tokens];
    for (const line of this.before.toReversed()) {
      characters += line.length;
      tokens += this.query.shown.count(line);
      if (characters > maxCharacters || tokens > this.query.shown.tokens) break;
      shown.unshift(line);
    }
    return shown;
  }

  /** The first match always fits: an answer without a match would make no progress. */
  private take(match: GrepMatch): boolean {
    const lines = [...match.before, match.text];
    const fits = this.spend(lines, tokensOfMatch);
    if (!fits && this.matches.length > 0) return false;
    if (!fits) this.tokens = this.query.shown.tokens;
    this.matches.push(match);
    if (this.query.context > 0) {
      // When a line has several matches, the lines after it are shown with the last one.
      if (this.open.at(-1)?.match.line === match.line) this.open.pop();
      this.open.push({ match, missing: this.query.context });
    }
    return true;
  }

  private showAfter(row: Row): void {
    if (this.open.length === 0) return;
    const text = windowOf(row, 0);
    for (const open of this.open) {
      if (this.spend([text], 0)) open.match.after.push(text);
      open.missing--;
    }
    while (this.open[0]?.missing === 0) this.open.shift();
  }

  private spend(lines: readonly string[], extra: number): boolean {
    const characters = this.characters + lines.reduce((sum, line) => sum + line.length, 0);
    const tokens = this.tokens + lines.reduce((sum, line) => sum + this.query.shown.count(line) + 1, extra);
    if (characters > maxCharacters || tokens > this.query.shown.tokens) return false;
    this.characters = characters;
    this.tokens = tokens;
    return true;
  }
}

export const startOf = (line: number): Position => ({ line, column: 0, offset: null });

/** A line, or the part around `at` of a long one, without splitting a character. */
function windowOf({ text, column, isEnd }: Row, at: number): string {
  if (text.length <= windowCharacters && column === 0 && isEnd) return text;
  const from = Math.max(0, Math.min(at - charactersBefore, text.length - windowCharacters));
  const part = text.slice(from, from + windowCharacters).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  const rest = text.length - from - part.length;
  const more = `${rest}${isEnd ? '' : ' or more'}`;
  return `${column + from > 0 ? `[${column + from} more characters ...] ` : ''}${part}${rest > 0 || !isEnd ? ` [... ${more} more characters]` : ''}`;
}
