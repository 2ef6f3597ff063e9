import type { BlobStore } from './blob-store.js';
import { readVerified, type HashedBlob } from './verified.js';

export interface IndexedBlob extends HashedBlob {
  /** Offset of line 1, then of every `linesPerMark`th line after it. */
  marks: readonly number[];
  linesPerMark: number;
}

/** Longer lines come in pieces of this many bytes. */
export const maxPieceBytes = 65_536;

/** The position of a character in a blob. */
export interface Position {
  line: number;
  /** Characters of the line before it. */
  column: number;
  /** Its byte offset in the blob; null for the start of the line. */
  offset: number | null;
}

/** A line, or a piece of one that is longer than a piece. */
export interface Piece {
  number: number;
  text: string;
  /** Characters of the line before this piece. */
  column: number;
  /** Byte offset of the piece in the blob. */
  offset: number;
  /** Byte offset of what follows: the next piece, or the next line. */
  end: number;
  /** Whether this is the last piece of its line. */
  isEnd: boolean;
  /** The bytes of a text with U+FFFD, which may stand for fewer bytes than it has itself. Else null. */
  bytes: Buffer | null;
}

/**
 * Lines from a position on, in file order, batched by read. A line of any length comes in pieces that never split a
 * character, so a piece bounds the memory. Invalid UTF-8 is replaced.
 */
export async function* piecesFrom(
  store: BlobStore,
  blob: IndexedBlob,
  from: Position,
  maxBytes = maxPieceBytes,
): AsyncGenerator<Piece[]> {
  if (blob.bytes === 0) return;
  let { line: number, column, offset } = startOf(blob, from);
  let rest: Buffer = Buffer.alloc(0);
  const take = (size: number, isEnd: boolean, separator: number): Piece => {
    const bytes = rest.subarray(0, size);
    const text = bytes.toString('utf8');
    const end = offset + size + separator;
    const piece = {
      number,
      text: isEnd ? text.replace(/\r$/, '') : text,
      column,
      offset,
      end,
      isEnd,
      bytes: text.includes(replacement) ? bytes : null,
    };
    column = isEnd ? 0 : column + columnsOf(text);
    if (isEnd) number++;
    offset = end;
    rest = rest.subarray(size + separator);
    return piece;
  };

  for await (const chunk of readVerified(store, blob, { start: offset, end: blob.bytes })) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const pieces: Piece[] = [];
    while (rest.length > 0) {
      const newline = rest.indexOf(10);
      if (number < from.line) {
        const skipped = newline < 0 ? rest.length : newline + 1;
        if (newline >= 0) number++;
        offset += skipped;
        rest = rest.subarray(skipped);
      } else if (newline >= 0 && newline <= maxBytes) pieces.push(take(newline, true, 1));
      else if (rest.length > maxBytes) pieces.push(take(wholeCharacters(rest, maxBytes), false, 0));
      else break;
    }
    if (pieces.length > 0) yield pieces;
  }
  if (rest.length > 0) yield [take(rest.length, true, 0)];
}

/** Where reading starts: the position itself, or the nearest mark before its line. */
function startOf(blob: IndexedBlob, { line, column, offset }: Position) {
  if (offset !== null) return { line, column, offset };
  const mark = Math.min(Math.floor((line - 1) / blob.linesPerMark), blob.marks.length - 1);
  return { line: mark * blob.linesPerMark + 1, column: 0, offset: blob.marks[mark] ?? 0 };
}

/** The largest prefix, up to `max` bytes, that splits neither a character nor a line end. */
function wholeCharacters(bytes: Buffer, max: number): number {
  let size = max;
  while (size > max - 4 && isContinuation(bytes[size])) size--;
  // No character has so many continuation bytes.
  if (size === max - 4) size = max;
  return bytes[size - 1] === 13 ? size - 1 : size;
}

const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;

/** Decoding puts it in place of bytes that are not UTF-8. */
const replacement = '\uFFFD';

/** Length in bytes of a text that was decoded from `bytes`, which may go on behind it; null when it has no U+FFFD. */
export function bytesOf(text: string, bytes: Buffer | null): number {
  if (bytes === null) return Buffer.byteLength(text);
  const [first = '', ...others] = text.split(replacement);
  let size = Buffer.byteLength(first);
  for (const other of others) size += replacedAt(bytes, size) + Buffer.byteLength(other);
  return size;
}

/** Number of bytes, one to three, that the U+FFFD decoded at an index stands for. */
function replacedAt(bytes: Buffer, index: number): number {
  if (!isContinuation(bytes[index + 1])) return 1;
  for (const size of [3, 2]) {
    const part = bytes.subarray(index, index + size);
    if (part.toString('utf8') === replacement) return part.length;
  }
  return 1;
}

/** Length of a text in code points, as columns count. */
export function columnsOf(text: string): number {
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // The second half of a pair is not a character.
    if (unit < 0xdc00 || unit > 0xdfff) n++;
  }
  return n;
}

/** The index in `text` of its `column`th character, from 0; the length of the text when it has fewer. */
export function indexOfColumn(text: string, column: number): number {
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xdc00 && unit <= 0xdfff) continue;
    if (n++ === column) return i;
  }
  return text.length;
}
