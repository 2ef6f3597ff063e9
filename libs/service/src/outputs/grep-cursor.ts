import type { Position } from '@spillway/blobs';

/** Where a search of an output resumes: a line, or `line.column.offset` for a character in a long one. */
export const writeGrepCursor = ({ line, column, offset }: Position): string =>
  offset === null || column === 0 ? String(line) : `${line}.${column}.${offset}`;

/** The position of a cursor of that form; without one, the first line. */
export function readGrepCursor(cursor = '1'): Position {
  const [line = 1, column, offset] = cursor.split('.').map(Number);
  return { line, column: column ?? 0, offset: offset ?? null };
}
