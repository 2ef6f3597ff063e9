import type { Line } from '../lines.js';
import type { Place } from './match-worker.js';

export interface GrepMatch {
  line: number;
  text: string;
  before: string[];
  after: string[];
}

/** Text that one answer shows: enough to read, and little enough for an agent's context. */
const mostShown = 64 * 1024;
/** A longer line is shown around its match. */
const longestShown = 2_048;
/** Of a longer line, what is shown before the match. */
const leadIn = 256;

/** Matches with the lines around them, gathered in file order until there are enough. */
export class FoundLines {
  readonly matches: GrepMatch[] = [];
  scanned = 0;
  /** The first line that was not looked at, though it may be shown after a match. */
  resume = 0;
  private isFull = false;
  private shown = 0;
  private last = 0;
  private readonly before: string[] = [];
  private readonly open: { match: GrepMatch; missing: number }[] = [];

  constructor(private readonly query: { from: number; limit: number; context: number }) {}

  /** Takes lines with the places of those that match. Gives the line to go on from when there are enough. */
  add(lines: readonly Line[], places: readonly Place[]): number | null {
    const matching = new Map(places.map(({ line, at }) => [line, at]));
    for (const [i, { number, text }] of lines.entries()) {
      const cut = around(text, 0);
      for (const open of this.open) {
        open.match.after.push(cut);
        open.missing--;
        this.shown += cut.length;
      }
      while (this.open[0]?.missing === 0) this.open.shift();
      if (number >= this.query.from) {
        if (!this.isFull) this.look(number, text, matching.get(i));
        if (this.isFull && this.open.length === 0 && number >= this.resume) return this.resume;
      }
      this.last = number;
      this.before.push(cut);
      if (this.before.length > this.query.context) this.before.shift();
    }
    return null;
  }

  private look(number: number, text: string, at: number | undefined): void {
    if (at !== undefined) {
      const match = { line: number, text: around(text, at), before: [...this.before], after: [] };
      if (!this.hasRoomFor(match)) {
        this.isFull = true;
        return;
      }
      this.take(match);
    }
    this.scanned++;
    this.resume = number + 1;
  }

  /** The first match always has: 41 lines of the longest are more than an answer holds, and better than none. */
  private hasRoomFor(match: GrepMatch): boolean {
    if (this.matches.length === this.query.limit) return false;
    const missing = this.open.reduce((sum, open) => sum + open.missing, this.query.context);
    return this.matches.length === 0 || this.shown + sizeOf(match) + missing * longestShown <= mostShown;
  }

  private take(match: GrepMatch): void {
    this.matches.push(match);
    this.shown += sizeOf(match);
    if (this.query.context > 0) this.open.push({ match, missing: this.query.context });
    if (this.matches.length === this.query.limit) this.isFull = true;
  }

  /** Lines that were shown and never looked at, because there were enough matches by then. */
  get unread(): number | null {
    return this.isFull && this.last >= this.resume ? this.resume : null;
  }
}

const sizeOf = ({ text, before }: GrepMatch): number =>
  before.reduce((sum, line) => sum + line.length, text.length);

/** A line, or of a long one the part around `at`, never half a character. */
function around(text: string, at: number): string {
  if (text.length <= longestShown) return text;
  const from = Math.max(0, Math.min(at - leadIn, text.length - longestShown));
  const part = text.slice(from, from + longestShown).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  const rest = text.length - from - longestShown;
  return `${from > 0 ? `[${from} more characters ...] ` : ''}${part}${rest > 0 ? ` [... ${rest} more characters]` : ''}`;
}
