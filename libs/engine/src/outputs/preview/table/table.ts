import { linesAsRecords, withOddRecords } from '../odd-records.js';
import { notShown, plural } from '../counts.js';
import { fitRoom, scaled } from '../fit-room.js';
import { oneLine } from '../one-line.js';
import type { MakePreview, PreviewRoom } from '../preview.js';
import { columnType } from './column-type.js';
import { rowsWithFarValues } from './far-values.js';
import { parseTable, type Table } from './parse-table.js';

/** Columns with their types, the number of rows, and the first and last five (promptdojo's rule for query results). */
export const previewTable: MakePreview = (output, room, count) => {
  const table = parseTable(output.text);
  if (!table) return null;
  const types = table.columns
    .slice(0, maxColumns)
    .map((_, i) => columnType(table.rows.map((row) => row[i] ?? '')));
  const make = (detail: number): string => render(table, types, detail, room);
  // The first lines are a header, and rulers are none of the rows.
  const isUsual = (text: string, i: number): boolean => i < 1 || /^[\s|:+=-]*$/.test(text);
  const records = linesAsRecords(output, 'row');
  const far = rowsWithFarValues(records.texts).filter((i) => !isUsual(records.texts[i]!, i));
  return withOddRecords({ ...records, isUsual, far }, room, count, ({ tokens }) => ({
    kind: 'table',
    text: fitRoom(make, tokens, count),
    readNext: null,
  }));
};

const maxColumns = 60;

function render(
  { columns, rows, rowCount }: Table,
  types: readonly string[],
  detail: number,
  { headLines, tailLines }: PreviewRoom,
): string {
  const shownColumns = scaled(detail, maxColumns, 6);
  const described = columns
    .slice(0, shownColumns)
    .map((name, i) => `${oneLine(name, 40) || '(unnamed)'} ${types[i]!}`);
  const more = columns.length - described.length;
  const cell = scaled(detail, 60, 12);
  const line = (row: readonly string[]): string =>
    row
      .slice(0, shownColumns)
      .map((value) => oneLine(value, cell))
      .join(' | ');
  // Rows give way later than columns and cells do.
  const share = Math.min(1, detail + 0.2);
  const head = rows.slice(0, scaled(share, headLines, 1));
  const tail = rows.slice(Math.max(head.length, rows.length - scaled(share, tailLines, 1)));
  const between = rowCount - head.length - tail.length;
  return [
    `Table: ${plural(rowCount, 'row')}, ${plural(columns.length, 'column')}`,
    `columns: ${described.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    line(columns),
    ...head.map(line),
    ...notShown(between, 'row'),
    ...tail.map(line),
  ].join('\n');
}
