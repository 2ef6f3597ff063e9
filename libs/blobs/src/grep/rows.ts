import { columnsOf, type Piece, type Position } from '../lines.js';

/** A line to be matched, or as much of a long one as is matched at a time. */
export interface Row {
  number: number;
  text: string;
  /** Where the text starts. */
  column: number;
  offset: number;
  /** Byte offset of what follows the text. */
  end: number;
  isEnd: boolean;
  /** A character whose position is known, so that the next one is counted from there. */
  known?: undefined | { index: number; column: number; offset: number };
  /** Index that matches start at or after: what is before it was matched already and only says what precedes. */
  skip: number;
}

export interface Batch {
  rows: Row[];
  /** Index in the last row that matches start before. Beyond its end, unless the line goes on. */
  reach: number;
  /** Where matching goes on after this batch: the next line, or the character before the next one of this line. */
  next: Position;
}

/** What a line costs beside its characters: a million empty ones are not for nothing. */
const lineCost = 16;

/**
 * Gathers pieces into batches of about `characters`. A line that is longer than a batch goes on in the next one, which
 * starts again with its last `overlap` characters: a match that starts there is found with the text that follows it.
 */
export async function* batchesOf(
  pieces: AsyncIterable<Piece[]>,
  characters: number,
  overlap: number,
  skip: number,
): AsyncGenerator<Batch> {
  let rows: Row[] = [];
  let size = 0;
  for await (const some of pieces) {
    for (const { column, ...piece } of some) {
      const last = rows.at(-1);
      if (last && !last.isEnd) {
        last.text += piece.text;
        last.end = piece.end;
        last.isEnd = piece.isEnd;
      } else rows.push({ ...piece, column, skip: rows.length === 0 ? skip : 0 });
      skip = 0;
      size += piece.text.length + lineCost;
      if (size < characters) continue;
      const batch = batchOf(rows, overlap);
      yield batch;
      const open = rows.at(-1)!;
      rows = open.isEnd ? [] : [remainderOf(open, batch)];
      size = rows[0]?.text.length ?? 0;
    }
  }
  if (rows.length > 0) yield batchOf(rows, overlap);
}

function batchOf(rows: Row[], overlap: number): Batch {
  const last = rows.at(-1)!;
  const { number: line, text, end } = last;
  if (last.isEnd) return { rows, reach: text.length + 1, next: { line: line + 1, column: 0, offset: end } };
  const reach = wholeFrom(text, Math.max(last.skip, text.length - overlap));
  return { rows, reach, next: positionIn(last, wholeFrom(text, Math.max(0, reach - 1))) };
}

/** What of an open row the next batch starts with: a character that precedes, and what may still match. */
function remainderOf(row: Row, { reach }: Batch): Row {
  const from = wholeFrom(row.text, Math.max(0, reach - 1));
  const { line, column, offset } = positionIn({ ...row, known: undefined }, from);
  const { end, isEnd } = row;
  return { number: line, text: row.text.slice(from), column, offset, end, isEnd, skip: reach - from };
}

/** The position of a character of a row. Cheap when asked for in ascending order. */
export function positionIn(row: Row, index: number): Position & { offset: number } {
  const start = { index: 0, column: row.column, offset: row.offset };
  const from = row.known && row.known.index <= index ? row.known : start;
  const between = row.text.slice(from.index, index);
  const column = from.column + columnsOf(between);
  const offset = from.offset + Buffer.byteLength(between);
  row.known = { index, column, offset };
  return { line: row.number, column, offset };
}

/** The index, or the one before it when it is in the middle of a character. */
export const wholeFrom = (text: string, index: number): number =>
  index > 0 && /[\uDC00-\uDFFF]/.test(text[index] ?? '') ? index - 1 : index;
