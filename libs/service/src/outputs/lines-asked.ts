import { SpillwayError } from '@spillway/engine';
import type { LinesAsked } from './read-lines.js';

/** How a caller names lines: at most one of lines, line, head and tail; columns with lines or line. */
export interface LineRange {
  lines?: string | undefined;
  line?: number | undefined;
  columns?: string | undefined;
  head?: number | undefined;
  tail?: number | undefined;
}

/** The lines that a range names; undefined when it names none. Throws `invalid_request`. */
export function linesAsked(range: LineRange, total: number): LinesAsked | undefined {
  const { lines, line, head, tail, columns } = range;
  const asked = [lines, line, head, tail].filter((value) => value !== undefined);
  if (asked.length > 1)
    throw invalid('lines', 'Use only one of lines, line, head and tail.', 'must be the only one');
  if (columns !== undefined && lines === undefined && line === undefined)
    throw invalid('columns', 'columns needs line or lines.', 'needs line');
  if (head !== undefined) return { first: 1, last: head };
  if (tail !== undefined) return { first: Math.max(1, total - tail + 1), last: total };
  if (line !== undefined) return { first: line, last: line, ...columnsAsked(columns) };
  if (lines === undefined) return undefined;
  const [first = 1, last = first] = lines.split('-').map(Number);
  if (last < first) throw invalid('lines', 'The range of lines ends before it starts.', 'must be first-last');
  const within = columnsAsked(columns);
  if (within.toColumn !== undefined && last > first)
    throw invalid(
      'columns',
      'With several lines, columns is the start column in the first line.',
      'must be like 2001-',
    );
  return { first, last, ...within };
}

function columnsAsked(columns: string | undefined): { fromColumn?: number; toColumn?: number } {
  if (columns === undefined) return {};
  const [from = '1', to] = columns.split('-');
  const fromColumn = Number(from);
  if (to === '') return { fromColumn };
  const toColumn = Number(to ?? from);
  if (toColumn < fromColumn)
    throw invalid('columns', 'The range of columns ends before it starts.', 'must be first-last');
  return { fromColumn, toColumn };
}

const invalid = (path: string, detail: string, message: string): SpillwayError =>
  new SpillwayError('invalid_request', detail, [{ path: `/${path}`, message }]);
