import { linesAsRecords, withOddRecords } from './odd-records.js';
import { linesOf } from './lines/read-lines.js';
import { notShown, plural } from './counts.js';
import { fitRoom, scaled } from './fit-room.js';
import { cutAt, oneLine } from './one-line.js';
import type { MakePreview } from './preview.js';

/** A directory listing, a tree, or a plain list of paths: how many of what, where, and the first and last of them. */
export const previewListing: MakePreview = (output, room, count) => {
  const { text } = output;
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  const paths = lines.map(pathIn);
  const folders = tally(
    paths.flatMap((path) => (path.includes('/') ? [path.replace(/^\.?\//, '').split('/')[0]!] : [])),
  );
  const types = tally(paths.flatMap((path) => /\.(\w{1,8})$/.exec(path)?.[1] ?? []));
  const largest = lines
    .map((line) => ({ line, size: sizeIn(line) }))
    .filter((entry) => entry.size > 0)
    .sort((a, b) => b.size - a.size);
  const make = (detail: number): string => {
    const ends = scaled(detail, 10, 2);
    const head = lines.slice(0, ends);
    const tail = lines.slice(Math.max(head.length, lines.length - ends));
    const between = lines.length - head.length - tail.length;
    return [
      `Listing: ${plural(lines.length, 'entry', 'entries')}`,
      ...counted('by type', types, scaled(detail, 12, 3), '.'),
      ...counted('top folders', folders, scaled(detail, 15, 3), ''),
      ...(largest.length > 2
        ? [
            `largest: ${largest
              .slice(0, scaled(detail, 5, 1))
              .map(({ line }) => oneLine(line, 100))
              .join('; ')}`,
          ]
        : []),
      ...head.map((line) => cutAt(line, maxLineLength)),
      ...notShown(between, 'entry', 'entries'),
      ...tail.map((line) => cutAt(line, maxLineLength)),
    ].join('\n');
  };
  return withOddRecords(linesAsRecords(output), room, count, ({ tokens }) => ({
    kind: 'listing',
    text: fitRoom(make, tokens, count),
    readNext: null,
  }));
};

const maxLineLength = 140;

/** The name in a line of ls -l, tree or find. */
const pathIn = (line: string): string =>
  line
    .slice(0, 1_000)
    .replace(/^[bcdlps-][rwxsStT-]{9}\S?\s+\d+\s+\S+\s+\S+\s+[\d.,]+[KMGT]?\s+(\S+\s+){2,3}/, '')
    .replace(/^[\s│├└─┬|`+\\-]+/, '')
    .replace(/ -> .*$/, '')
    .trim();

/** Bytes in a line of `ls -l`; 0 when it shows none. */
const sizeIn = (line: string): number =>
  Number(/^-[rwxsStT-]{9}\S?\s+\d+\s+\S+\s+\S+\s+(\d{1,15})\s/.exec(line.slice(0, 300))?.[1] ?? 0);

function tally(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function counted(title: string, counts: readonly [string, number][], max: number, prefix: string): string[] {
  if (counts.length < 2) return [];
  const shown = counts.slice(0, max).map(([name, n]) => `${prefix}${oneLine(name, 40)} ${n}`);
  const left = counts.length - shown.length;
  return [`${title}: ${shown.join(', ')}${left > 0 ? `, and ${left} more` : ''}`];
}
