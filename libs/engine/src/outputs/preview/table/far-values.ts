/** With fewer rows alike, a value apart from the others is nothing special. */
const minRows = 30;
/** Rows that are looked at, and values of each. */
const maxRows = 20_000;
const maxCells = 24;
/** Characters of a number. */
const maxLength = 24;
/** How far a value must be from the next one, as a share of the range of all others. */
const minGap = 0.4;

const number = /^([+-]?\d{1,15}(?:\.\d{1,9})?)(%|[kKMGTP]i?B?|[µnm]?s)?$/;
const scales: Record<string, number> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };

/**
 * Rows with a number far from all others of its column, the farthest first: a volume at 100 %, a file that no test
 * covers. No word tells of these. Columns are counted by blanks and delimiters, in rows with equally many.
 */
export function rowsWithFarValues(rows: readonly string[]): number[] {
  const alike = new Map<number, Column[]>();
  rows.slice(0, maxRows).forEach((row, at) => {
    const values = valuesOf(row);
    let columns = alike.get(values.length);
    if (!columns) alike.set(values.length, (columns = values.map(() => new Column())));
    for (let i = 0; i < values.length; i++) columns[i]!.add(at, values[i]!);
  });
  const far = new Map<number, number>();
  for (const columns of alike.values())
    for (const column of columns)
      for (const { at, gap } of column.far()) far.set(at, Math.max(gap, far.get(at) ?? 0));
  return [...far].sort(([a, x], [b, y]) => y - x || a - b).map(([at]) => at);
}

/** What stands between separators; NaN for what is no number. */
function valuesOf(row: string): number[] {
  const values: number[] = [];
  let at = 0;
  while (at < row.length && values.length < maxCells) {
    while (at < row.length && isSeparator(row.charCodeAt(at))) at++;
    const from = at;
    while (at < row.length && !isSeparator(row.charCodeAt(at))) at++;
    if (at > from)
      values.push(
        at - from <= maxLength && mayBeNumber(row.charCodeAt(from)) ? valueOf(row.slice(from, at)) : NaN,
      );
  }
  return values;
}

/** Blank, tab, comma, semicolon or bar. */
const isSeparator = (code: number): boolean =>
  code === 32 || code === 9 || code === 44 || code === 59 || code === 124;
/** A digit or a sign. */
const mayBeNumber = (code: number): boolean => (code >= 48 && code <= 57) || code === 43 || code === 45;

function valueOf(cell: string): number {
  const found = number.exec(cell);
  return found ? Number(found[1]) * (scales[found[2]?.charAt(0) ?? ''] ?? 1) : NaN;
}

/** The two least and the two greatest numbers of a column, seen in one pass. */
class Column {
  private cells = 0;
  private numbers = 0;
  private least = { at: -1, value: Infinity };
  private second = Infinity;
  private greatest = { at: -1, value: -Infinity };
  private last = -Infinity;

  add(at: number, value: number): void {
    this.cells++;
    if (Number.isNaN(value)) return;
    this.numbers++;
    if (value < this.least.value) {
      this.second = this.least.value;
      this.least = { at, value };
    } else if (value < this.second) this.second = value;
    if (value > this.greatest.value) {
      this.last = this.greatest.value;
      this.greatest = { at, value };
    } else if (value > this.last) this.last = value;
  }

  /** The least and the greatest, where they are far from the others. */
  far(): { at: number; gap: number }[] {
    const { numbers, cells, least, second, greatest, last } = this;
    if (numbers < Math.max(minRows, cells * 0.9)) return [];
    const range = Math.max(last - second, Number.EPSILON);
    return [
      { at: least.at, gap: (second - least.value) / range },
      { at: greatest.at, gap: (greatest.value - last) / range },
    ].filter(({ gap }) => gap >= minGap);
  }
}
