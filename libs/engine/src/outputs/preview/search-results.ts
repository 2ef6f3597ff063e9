import { linesAsRecords, withOddRecords } from './odd-records.js';
import { linesOf } from './lines/read-lines.js';
import { plural } from './counts.js';
import { fitRoom, scaled } from './fit-room.js';
import { oneLine } from './one-line.js';
import type { MakePreview } from './preview.js';

/** `path:12:text` as grep and ripgrep print a match; with -A, -B and -C also `path-12-text`. */
export const matchLine = /^([^:\n]{1,300}):(\d{1,8}):(.*)$/;

/** What stands around a match, and what separates matches. */
const contextLine = /^[^\n]{1,300}-\d{1,8}-|^--$/;

/** Matches of a search by file: how many, and the first match of as many files as fit. */
export const previewSearchResults: MakePreview = (output, room, count) => {
  const { text } = output;
  const files = new Map<string, { n: number; first: string }>();
  let matches = 0;
  linesOf(text).forEach((line) => {
    const match = matchLine.exec(line.slice(0, 2_000));
    if (!match) return;
    matches++;
    const [, path = '', number = '', matched = ''] = match;
    const known = files.get(path);
    if (known) known.n++;
    else files.set(path, { n: 1, first: `${number}: ${matched.trim()}` });
  });
  if (matches === 0) return null;
  const make = (detail: number): string => {
    const shown = [...files].slice(0, scaled(detail, 30, 2));
    const left = files.size - shown.length;
    const unseen = matches - shown.length;
    return [
      `Search results: ${plural(matches, 'match', 'matches')} in ${plural(files.size, 'file')}`,
      ...shown.map(
        ([path, { n, first }]) =>
          `${path} (${plural(n, 'match', 'matches')}) ${oneLine(first, scaled(detail, 120, 40))}`,
      ),
      ...(unseen > 0
        ? [
            `--- ${plural(unseen, 'more match', 'more matches')}${left > 0 ? `, ${left} of them in files not named here,` : ''} not shown ---`,
          ]
        : []),
    ].join('\n');
  };
  const isUsual = (text: string): boolean => matchLine.test(text) || contextLine.test(text);
  return withOddRecords({ ...linesAsRecords(output), isUsual }, room, count, ({ tokens }) => ({
    kind: 'search',
    text: fitRoom(make, tokens, count),
    readNext: null,
  }));
};
