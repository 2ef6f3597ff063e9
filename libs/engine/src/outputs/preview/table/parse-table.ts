export interface Table {
  columns: string[];
  /** Cells by row; a row may be shorter than the columns. */
  rows: string[][];
}

/** Rows parsed at most; a longer table is counted by its lines beyond that. */
const mostRows = 200_000;

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
  const rows = lines
    .slice(lines[at - 1] === header ? at + 1 : at + 2)
    .filter((line) => line.includes('|'))
    .slice(0, mostRows)
    .map(markedCells);
  return rows.length > 0 ? { columns: markedCells(header), rows } : undefined;
}

const markedCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** CSV and its kin (RFC 4180): the delimiter that gives the first rows the same number of cells, two or more. */
function parseDelimited(text: string): Table | undefined {
  for (const delimiter of [',', '\t', ';', '|']) {
    const rows = delimitedRows(text, delimiter);
    const [columns] = rows;
    if (!columns || columns.length < 2 || rows.length < 3) continue;
    const probe = rows.slice(1, 60);
    const regular = probe.filter((row) => row.length === columns.length).length;
    if (regular >= probe.length * 0.9 && columns.every((cell) => cell.length < 200))
      return { columns, rows: rows.slice(1) };
  }
  return undefined;
}

/** Cells may be quoted, and then hold delimiters, quotes (doubled) and line breaks. One pass. */
function delimitedRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let from = 0;
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  while (from <= end && rows.length <= mostRows) {
    let to: number;
    if (text[from] === '"') {
      let close = text.indexOf('"', from + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) return [];
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
      if (rows.length === 40 && rows.every((cells) => cells.length < 2)) return [];
      row = [];
    } else if (text[to] !== delimiter) return [];
    from = to + 1;
  }
  return rows;
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
  const cells = (line: string) => starts.map((start, i) => line.slice(start, starts[i + 1]).trim());
  return { columns: cells(header), rows: body.slice(0, mostRows).map(cells) };
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
