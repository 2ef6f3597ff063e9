import { linesAsRecords, withOddRecords } from '../odd-records.js';
import { failureWeight } from '../failure/failure-rules.js';
import { isSourceLine } from '../failure/source-line.js';
import { linesOf } from '../lines/read-lines.js';
import { notShown, plural } from '../counts.js';
import { fitRoom, scaled } from '../fit-room.js';
import { cutAt, oneLine } from '../one-line.js';
import type { MakePreview } from '../preview.js';
import { declarationsIn, type Declaration } from './declarations.js';

/** How a file starts, and its declarations with their lines, so that the next read can be a range. */
export const previewCode: MakePreview = (output, room, count) => {
  const { text } = output;
  const lines = linesOf(text);
  const declarations = declarationsIn(text);
  const make = (detail: number): string => {
    const head = lines.slice(0, scaled(detail, 12, 2)).map((line) => cutAt(line, scaled(detail, 160, 60)));
    const shown = thinned(declarations, scaled(detail, 60, 4));
    const hidden = declarations.length - shown.length;
    const rest = lines.length - head.length;
    return [
      ...head,
      ...(rest > 0 ? [`--- ${plural(rest, 'line')} not shown; declarations by line: ---`] : []),
      ...shown.map(
        ({ line, indent, text: declared }) =>
          `${line}: ${' '.repeat(Math.min(8, indent))}${oneLine(declared, scaled(detail, 110, 50))}`,
      ),
      ...notShown(hidden, 'more declaration'),
    ].join('\n');
  };
  const first = declarations[0]?.line ?? 1;
  const records = { ...linesAsRecords(output), isUsual: (text: string) => !reportsFailure(text) };
  return withOddRecords(records, room, count, ({ tokens }) => ({
    kind: 'code',
    text: fitRoom(make, tokens, count),
    readNext: { from: first, to: Math.min(lines.length, first + 99) },
  }));
};

/** What a tool said of a source, rather than the source. */
const reportsFailure = (line: string): boolean =>
  /^\S/.test(line) && failureWeight(line.slice(0, 400)) >= 7 && !isSourceLine(line);

/** The outermost declarations first; deeper ones as far as there is room for all of a depth. */
function thinned(declarations: readonly Declaration[], max: number): Declaration[] {
  const depths = [...new Set(declarations.map(({ indent }) => indent))].sort((a, b) => a - b);
  let shown: Declaration[] = [];
  for (const depth of depths) {
    const more = declarations.filter(({ indent }) => indent <= depth);
    if (more.length > max) return shown.length > 0 ? shown : more.slice(0, max);
    shown = more;
  }
  return shown;
}
