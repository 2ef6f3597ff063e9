import { bytesOf, columnsOf, type Piece, type Position } from '../lines.js';

/** A line to match, or the part of a long one that is matched at a time. */
export interface Row {
  number: number;
  text: string;
  /** Where the text starts. */
  column: number;
  offset: number;
  /** Byte offset after the text. */
  end: number;
  isEnd: boolean;
  /** As of a piece. */
  bytes: Buffer | null;
  /** A character with a known position, from which later ones are counted. */
  known?: undefined | { index: number; column: number; offset: number };
  /** Matches start at or after this index: the text before was matched already and is only context. */
  skip: number;
}

export interface Batch {
  rows: Row[];
  /** Matches start before this index of the last row. Beyond its end, unless the line continues. */
  reach: number;
  /** The resume position after this batch: the next line, or the character before the next one of this line. */
  next: Position;
}

/** Less than a batch, so that a slow pattern on a busy machine has a result before its time is up. */
const firstCharacters = 256 * 1024;

/** Fixed cost of a line, so that a million empty lines are not free. */
const lineCost = 16;

/**
 * Collects pieces into batches of about `characters`, the first one of at most `firstCharacters`. A line longer than a
 * batch continues in the next one, which starts with its last `overlap` characters, so that a match across the border is
 * found.
 */
export async function* batchesOf(
  pieces: AsyncIterable<Piece[]>,
  { characters, overlap }: { characters: number; overlap: number },
  skip: number,
): AsyncGenerator<Batch> {
  let rows: Row[] = [];
  let size = 0;
  let enough = Math.min(characters, firstCharacters);
  for await (const some of pieces) {
    for (const { column, ...piece } of some) {
      const last = rows.at(-1);
      if (last && !last.isEnd) {
        last.bytes = joined(last, piece);
        last.text += piece.text;
        last.end = piece.end;
        last.isEnd = piece.isEnd;
      } else rows.push({ ...piece, column, skip: rows.length === 0 ? skip : 0 });
      skip = 0;
      size += piece.text.length + lineCost;
      if (size < enough) continue;
      const batch = batchOf(rows, overlap);
      yield batch;
      enough = characters;
      const open = rows.at(-1)!;
      rows = open.isEnd ? [] : [remainderOf(open, batch)];
      size = rows[0]?.text.length ?? 0;
    }
  }
  if (rows.length > 0) yield batchOf(rows, overlap);
}

/** The bytes of a row and of the piece that continues it, when one of them has U+FFFD. */
const joined = (...parts: Pick<Piece, 'text' | 'bytes'>[]): Buffer | null =>
  parts.every(({ bytes }) => bytes === null)
    ? null
    : Buffer.concat(parts.map(({ text, bytes }) => bytes ?? Buffer.from(text)));

function batchOf(rows: Row[], overlap: number): Batch {
  const last = rows.at(-1)!;
  const { number: line, text, end } = last;
  if (last.isEnd) return { rows, reach: text.length + 1, next: { line: line + 1, column: 0, offset: end } };
  const reach = wholeFrom(text, Math.max(last.skip, text.length - overlap));
  return { rows, reach, next: positionIn(last, wholeFrom(text, Math.max(0, reach - 1))) };
}

/** The part of an open row that the next batch starts with: one preceding character, and what may still match. */
function remainderOf(row: Row, { reach }: Batch): Row {
  const from = wholeFrom(row.text, Math.max(0, reach - 1));
  const { line, column, offset } = positionIn({ ...row, known: undefined }, from);
  const { end, isEnd } = row;
  const bytes = row.bytes && row.bytes.subarray(offset - row.offset);
  return { number: line, text: row.text.slice(from), column, offset, end, isEnd, bytes, skip: reach - from };
}

/** The position of a character of a row. Efficient in ascending order. */
export function positionIn(row: Row, index: number): Position & { offset: number } {
  const start = { index: 0, column: row.column, offset: row.offset };
  const from = row.known && row.known.index <= index ? row.known : start;
  const between = row.text.slice(from.index, index);
  const column = from.column + columnsOf(between);
  const offset = from.offset + bytesOf(between, row.bytes && row.bytes.subarray(from.offset - row.offset));
  row.known = { index, column, offset };
  return { line: row.number, column, offset };
}

/** The index, or the one before it within a surrogate pair. */
export const wholeFrom = (text: string, index: number): number =>
  index > 0 && /[\uDC00-\uDFFF]/.test(text[index] ?? '') ? index - 1 : index;
