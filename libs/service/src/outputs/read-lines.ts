import { indexOfColumn, columnsOf, piecesFrom, type Piece } from '@spillway/blobs';
import { clipHead, type CountTokens } from '@spillway/engine';
import type { OutputRow } from '@spillway/store';
import { blobOf, guarded } from './read-output.js';
import type { Runtime } from '../runtime.js';

export interface LinesAsked {
  first: number;
  last: number;
  /** The start column in the first line, from 1. */
  fromColumn?: number;
  /** The last column of the first line, for a range within one line. */
  toColumn?: number;
}

/** How much is shown, and how. */
export interface Shown {
  maxTokens: number;
  /** Each line after its number and a tab. */
  numbered: boolean;
  count: CountTokens;
  /** The label of a line; by default its number. */
  nameOf?: (line: number) => string;
}

export interface Excerpt {
  text: string;
  firstLine: number | null;
  lastLine: number | null;
  tokens: number;
  /** The query for the next part; null when everything was returned. */
  next: string | null;
}

/**
 * Reads lines, or characters of a line, up to `maxTokens`. Returns whole lines while they fit. Of a line that is longer
 * than an answer it returns the start, and `next` continues in that line. Throws `output_gone`.
 */
export async function readLines(
  rt: Runtime,
  output: OutputRow,
  asked: LinesAsked,
  shown: Shown,
): Promise<Excerpt> {
  const excerpt = new ExcerptBuilder(asked, shown);
  const start = { line: asked.first, column: 0, offset: null };
  for await (const pieces of guarded(rt, output, piecesFrom(rt.blobs, blobOf(output), start))) {
    for (const piece of pieces) if (excerpt.add(piece)) return excerpt.done();
  }
  return excerpt.done();
}

/** A line, or a piece of one, of any text. */
type TextPiece = Pick<Piece, 'number' | 'text' | 'column' | 'isEnd'>;

/** Collects pieces of lines until an answer is full. */
export class ExcerptBuilder {
  private readonly texts: string[] = [];
  private tokens = 0;
  private lastLine: number | null = null;
  private next: string | null = null;
  private isOpen = false;
  private readonly fromColumn: number;

  constructor(
    private readonly asked: LinesAsked,
    private readonly shown: Shown,
  ) {
    this.fromColumn = (asked.fromColumn ?? 1) - 1;
  }

  /** Adds the next piece. Returns true when the answer is complete. */
  add(piece: TextPiece): boolean {
    const { asked } = this;
    if (piece.number > asked.last) return true;
    const part = this.partOf(piece);
    if (part === null) return piece.isEnd && piece.number === asked.last;
    const prefix = this.isOpen || !this.shown.numbered ? '' : this.nameOf(piece.number, part.column);
    const cost = this.costOf(prefix + part.text);
    const left = this.shown.maxTokens - this.tokens;
    if (cost > left) return this.stopAt(piece, part, prefix, left);
    this.push(piece.number, prefix + part.text, cost);
    if (part.isCut) {
      const width = asked.toColumn! - this.fromColumn;
      this.next = `line=${piece.number}&columns=${asked.toColumn! + 1}-${asked.toColumn! + width}`;
      return true;
    }
    this.isOpen = !piece.isEnd;
    if (piece.isEnd) this.texts.push('\n');
    return piece.isEnd && piece.number === asked.last;
  }

  done(): Excerpt {
    const text = this.texts.join('');
    const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    const { tokens, next, lastLine } = this;
    return { text: ended, firstLine: lastLine === null ? null : this.asked.first, lastLine, tokens, next };
  }

  /** The requested part of a piece; null when the range starts after it. */
  private partOf({ number, column, text, isEnd }: TextPiece) {
    const { first, toColumn = Infinity } = this.asked;
    if (number !== first || (this.fromColumn === 0 && toColumn === Infinity))
      return { text, column, isCut: false };
    const end = column + columnsOf(text);
    if (end <= this.fromColumn) return null;
    const from = Math.max(column, this.fromColumn);
    const start = indexOfColumn(text, from - column);
    if (toColumn > end || (toColumn === end && isEnd))
      return { text: text.slice(start), column: from, isCut: false };
    return { text: text.slice(start, indexOfColumn(text, toColumn - column)), column: from, isCut: true };
  }

  private stopAt(
    { number }: TextPiece,
    part: { text: string; column: number },
    prefix: string,
    left: number,
  ): true {
    const { last, first, toColumn } = this.asked;
    if (!this.isOpen && this.texts.length > 0) {
      this.next = `lines=${number}-${last}`;
      return true;
    }
    // A line that is longer than an answer: its start.
    const room = Math.max(1, left - this.shown.count(prefix) - 1);
    const clipped = clipHead(part.text, room, this.shown.count);
    const shown = clipped === '' && this.texts.length === 0 ? firstCharacter(part.text) : clipped;
    this.push(number, prefix + shown, this.costOf(prefix + shown));
    const column = part.column + columnsOf(shown) + 1;
    const isOne = number === first && toColumn !== undefined;
    this.next = isOne
      ? `line=${number}&columns=${column}-${toColumn}`
      : `lines=${number}-${last}&columns=${column}-`;
    return true;
  }

  private nameOf(line: number, column: number): string {
    const name = this.shown.nameOf?.(line) ?? String(line);
    return column > 0 ? `${name}:${column + 1}\t` : `${name}\t`;
  }

  private push(line: number, text: string, cost: number): void {
    this.texts.push(text);
    this.tokens += cost;
    this.lastLine = line;
  }

  /** Tokens including the line end. A piece that certainly does not fit is not counted exactly. */
  private costOf(text: string): number {
    const max = (this.shown.maxTokens + 1) * 64;
    return this.shown.count(text.slice(0, max)) + 1 + (text.length > max ? this.shown.maxTokens : 0);
  }
}

const firstCharacter = (text: string): string => [...text.slice(0, 2)][0] ?? '';
