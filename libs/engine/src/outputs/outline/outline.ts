import { declarationsIn } from '../preview/code/declarations.js';
import { readDiff } from '../preview/diff/read-diff.js';
import { plural } from '../preview/counts.js';
import { oneLine } from '../preview/one-line.js';
import { readHtml } from '../preview/html/read-html.js';
import { parseJson } from '../preview/json/parse-json.js';
import { schemaLines } from '../preview/json/schema.js';
import { linesOf, readText } from '../preview/lines/read-lines.js';
import { logOutline } from '../preview/log/log.js';
import type { OutputKind } from '../preview/preview.js';
import { columnType } from '../preview/table/column-type.js';
import { parseTable } from '../preview/table/parse-table.js';

export interface OutlineItem {
  /** From 1; also 1 when the line is unknown. */
  line: number;
  depth: number;
  label: string;
}

/** Items of an outline, and characters of a label. */
const maxItems = 500;
const maxLabel = 300;

/** The structure of an output with line numbers: symbols, schema, columns, error lines, headings, files. */
export const outlineOf = (posted: string, kind: OutputKind): OutlineItem[] =>
  itemsOf(posted, kind)
    .slice(0, maxItems)
    .map((item) => ({ ...item, label: oneLine(item.label, maxLabel) }));

function itemsOf(posted: string, kind: OutputKind): OutlineItem[] {
  if (kind === 'log') return logOutline(readText(posted).lines);
  // A schema has no lines.
  if (kind === 'json') return outlines.json(posted);
  return outlines[kind](readText(posted).text);
}

const outlines: Record<Exclude<OutputKind, 'log'>, (text: string) => OutlineItem[]> = {
  code: (text) =>
    declarationsIn(text).map(({ line, indent, text: label }) => ({
      line,
      depth: Math.floor(indent / 2),
      label,
    })),
  json: (text) => {
    const parsed = parseJson(text);
    return parsed
      ? schemaLines(parsed.value, { keys: 60, depth: 6 }).map(({ depth, text: label }) => ({
          line: 1,
          depth,
          label,
        }))
      : [];
  },
  table: (text) => {
    const table = parseTable(text);
    if (!table) return [];
    const columns = table.columns.map((name, i) => ({
      line: 1,
      depth: 1,
      label: `${name} ${columnType(table.rows.map((row) => row[i] ?? ''))}`,
    }));
    return [{ line: 1, depth: 0, label: plural(table.rowCount, 'row') }, ...columns];
  },
  html: (text) =>
    readHtml(text)
      .blocks.filter((block) => block.level > 0)
      .map(({ line, level, text: label }) => ({ line, depth: level - 1, label })),
  diff: (text) => {
    const { commits, files } = readDiff(text);
    return [
      ...commits.map(({ line, id, subject }) => ({ line, depth: 0, label: `commit ${id} ${subject}` })),
      ...files.flatMap((file) => [
        { line: file.line, depth: 1, label: `${file.path} +${file.added} -${file.removed}` },
        ...file.hunks.map(({ line, header }) => ({ line, depth: 2, label: header })),
      ]),
    ].sort((a, b) => a.line - b.line);
  },
  text: (text) =>
    linesOf(text).flatMap((line, i) => {
      const heading = /^(#{1,6}) (.{1,200})/.exec(line);
      return heading ? [{ line: i + 1, depth: heading[1]!.length - 1, label: heading[2]! }] : [];
    }),
  listing: () => [],
  search: () => [],
};
