/** Byte offsets of every 256th line, so that reading lines 800-900 does not read lines 1-799. */
export const linesPerMark = 256;

export interface LineIndex {
  lines: number;
  /** Offset of line 1, 257, 513, ... */
  marks: number[];
}

/** Lines end with \n; a final newline does not start another one. */
export function indexLines(bytes: Buffer): LineIndex {
  const marks = [0];
  let lines = 0;
  let from = 0;
  while (from < bytes.length) {
    const at = bytes.indexOf(10, from);
    lines++;
    from = at < 0 ? bytes.length : at + 1;
    if (lines % linesPerMark === 0 && from < bytes.length) marks.push(from);
  }
  return { lines: Math.max(1, lines), marks };
}
