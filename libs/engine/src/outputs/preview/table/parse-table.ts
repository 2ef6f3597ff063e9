import { linesOf } from '../lines/read-lines.js';

export interface Table {
  columns: string[];
  /** Cells by row; a row may be shorter than the columns. Of a table of more than `maxRows` the first and the last. */
  rows: string[][];
  /** How many rows it has. Beyond `maxRows` each line counts as one. */
  rowCount: number;
}

/** Bounds the memory that cells take: 8 MiB may hold millions of rows. */
const maxRows = 200_000;
/** As many last rows as a policy lets a stub show. */
const maxLastRows = 1_000;

/** A table in any of the ways tools print one; undefined for what is none. */
export function parseTable(text: string): Table | undefined {
  return parseMarked(text) ?? parseDelimited(text) ?? parseAligned(text);
}

/** Markdown and database clients: cells between |, a ruler of - and + somewhere near the top. */
function parseMarked(text: string): Table | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines.slice(0, 8).findIndex((line) => /^[\s|:+-]*-[\s|:+-]*$/.test(line) && /[|+]/.test(line));
  if (at < 0) return undefined;
  const header = lines[at - 1] ?? lines[at + 1];
  if (!header?.includes('|')) return undefined;
  const rows = lines.slice(lines[at - 1] === header ? at + 1 : at + 2).filter((line) => line.includes('|'));
  return rows.length > 0 ? tableOf(header, rows, markedCells) : undefined;
}

/** A table with a row on each line. */
function tableOf(header: string, lines: readonly string[], cellsOf: (line: string) => string[]): Table {
  const shown =
    lines.length <= maxRows
      ? lines
      : [...lines.slice(0, maxRows - maxLastRows), ...lines.slice(lines.length - maxLastRows)];
  return { columns: cellsOf(header), rows: shown.map(cellsOf), rowCount: lines.length };
}

/** In Markdown a bar within a cell stands behind a backslash. */
const markedCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** CSV and its kin (RFC 4180): the delimiter that gives the first rows the same number of cells, two or more. */
function parseDelimited(text: string): Table | undefined {
  for (const delimiter of [',', '\t', ';', '|']) {
    const { rows, end } = delimitedRows(text, delimiter);
    const [columns] = rows;
    if (!columns || columns.length < 2 || rows.length < 3) continue;
    const probe = rows.slice(1, 60);
    const regular = probe.filter((row) => row.length === columns.length).length;
    if (regular < probe.length * 0.9 || columns.some((cell) => cell.length >= 200)) continue;
    const last = lastLines(text.slice(end));
    const lastRows = delimitedRows(last.text, delimiter).rows;
    const first = rows.slice(1, lastRows.length > 0 ? maxRows - maxLastRows : undefined);
    return { columns, rows: [...first, ...lastRows], rowCount: rows.length - 1 + last.count };
  }
  return undefined;
}

/** The last lines of a text, and how many it has. */
function lastLines(text: string): { text: string; count: number } {
  const lines = text === '' ? [] : linesOf(text);
  return { text: lines.slice(-maxLastRows).join('\n'), count: lines.length };
}

const none = { rows: [], end: Infinity };

/**
 * The first rows of a text, and where the text goes on behind them. Cells may be quoted, and then hold delimiters, quotes
 * (doubled) and line breaks. One pass.
 */
function delimitedRows(text: string, delimiter: string): { rows: string[][]; end: number } {
  if (text === '') return none;
  const rows: string[][] = [];
  let row: string[] = [];
  let from = 0;
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  while (from <= end && rows.length <= maxRows) {
    let to: number;
    if (text[from] === '"') {
      let close = text.indexOf('"', from + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) return none;
      row.push(text.slice(from + 1, close).replaceAll('""', '"'));
      to = close + 1;
    } else {
      to = from;
      while (to < end && text[to] !== delimiter && text[to] !== '\n') to++;
      row.push(text.slice(from, to).replace(/\r$/, ''));
    }
    if (text[to] === '\r') to++;
    if (to >= end || text[to] === '\n') {
      rows.push(row);
      // A long prefix that is no table at all is given up early.
      if (rows.length === 40 && rows.every((cells) => cells.length < 2)) return none;
      row = [];
    } else if (text[to] !== delimiter) return none;
    from = to + 1;
  }
  return { rows, end: from };
}

/** Columns lined up with spaces under a header: ps, docker ps, kubectl get, dpkg -l. */
function parseAligned(text: string): Table | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines
    .slice(0, 8)
    .findIndex((line) => line.trim().split(/\s{2,}|\t/).length >= 3 && isHeader(line));
  if (at < 0 || lines.length - at < 3) return undefined;
  const header = lines[at]!;
  const body = lines.slice(at + 1).filter((line) => !/^[\s=+|-]+$/.test(line));
  const starts = columnStarts(header, body.slice(0, 60));
  if (body.length < 2 || starts.length < 3) return undefined;
  return tableOf(header, body, (line) => starts.map((start, i) => line.slice(start, starts[i + 1]).trim()));
}

/** Where columns start: after places that are blank in the header and in nearly every row. */
function columnStarts(header: string, rows: readonly string[]): number[] {
  const isBlank = (at: number): boolean => {
    if ((header[at] ?? ' ') !== ' ') return false;
    return rows.filter((row) => (row[at] ?? ' ') !== ' ').length <= rows.length * 0.03;
  };
  const starts = [0];
  const lastWord = header.trimEnd().search(/\S+$/);
  let gap = false;
  for (let at = 1; at < Math.min(header.length, 400); at++) {
    if (isBlank(at)) gap = true;
    else if (gap) {
      starts.push(at);
      gap = false;
      // What follows the last heading is its text, blanks and all.
      if (at >= lastWord) break;
    }
  }
  return starts;
}

/** Headers are words: no punctuation of code, no digits in most of them. */
const isHeader = (line: string): boolean =>
  !/[{}();=<>"']|:\s/.test(line) && !/\d{3}/.test(line) && /^\W{0,4}[A-Za-z]/.test(line.trim());
