/** Lines between two marks, so that reading lines 800-900 does not read lines 1-799. */
const firstSpacing = 256;
/** With more marks than this every other one is dropped, which bounds the row of a long output. */
const maxMarks = 65_536;

export interface LineIndex {
  lines: number;
  /** Byte offset of line 1, then of every `linesPerMark`th line after it. */
  marks: number[];
  linesPerMark: number;
}

/**
 * Counts and marks the lines of bytes that arrive in pieces. Lines end with \n; a final newline starts no further line.
 */
export class LineIndexer {
  private bytes = 0;
  private newlines = 0;
  private endsOpen = false;
  private marks = [0];
  private linesPerMark = firstSpacing;

  add(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      if (chunk[i] !== 10) continue;
      if (++this.newlines % this.linesPerMark === 0) this.mark(this.bytes + i + 1);
    }
    this.bytes += chunk.length;
    if (chunk.length > 0) this.endsOpen = chunk.at(-1) !== 10;
  }

  /** The index of all bytes so far. */
  index(): LineIndex {
    const { marks, linesPerMark } = this;
    const isEmpty = marks.length > 1 && marks.at(-1) === this.bytes;
    return {
      lines: Math.max(1, this.newlines + (this.endsOpen ? 1 : 0)),
      marks: isEmpty ? marks.slice(0, -1) : marks.slice(),
      linesPerMark,
    };
  }

  private mark(at: number): void {
    this.marks.push(at);
    if (this.marks.length <= maxMarks) return;
    this.marks = this.marks.filter((_, i) => i % 2 === 0);
    this.linesPerMark *= 2;
  }
}

export function indexLines(bytes: Uint8Array): LineIndex {
  const indexer = new LineIndexer();
  indexer.add(bytes);
  return indexer.index();
}
