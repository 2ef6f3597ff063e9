import { notShown, plural } from '../counts.js';
import { fitRoom, scaled } from '../fit-room.js';
import { linesAsRecords, withOddRecords } from '../odd-records.js';
import { oneLine } from '../one-line.js';
import type { MakePreview } from '../preview.js';
import { readDiff, type DiffFile, type DiffText } from './read-diff.js';

/** Lines of a diff and of a log of commits; a conflict that was committed is none of them. */
const partOfDiff =
  /^(?:[+-](?!\s?(?:<{7}|>{7}) )|[ @\\]|diff |index |commit |Author|Date|Merge|(?:new|deleted|old) |similarity|dissimilarity|rename|copy|Binary files|GIT binary|$)/;

/** What changed where: commits with their subjects, files with counts, then the first changed lines of each. */
export const previewDiff: MakePreview = (output, room, count) => {
  const diff = readDiff(output.text);
  const { commits, files } = diff;
  if (files.length + commits.length === 0) return null;
  const paths = byPath(files);
  const make = (detail: number): string =>
    [
      totals(diff, paths.length),
      ...commitLines(commits, files.length > 0 ? 8 : 30, detail),
      ...fileLines(paths, detail),
      ...files.slice(0, scaled(detail, 6)).flatMap((file) => changesOf(file, detail)),
    ].join('\n');
  const first = files[0]?.line ?? commits[0]!.line;
  const isUsual = (text: string): boolean => partOfDiff.test(text);
  return withOddRecords({ ...linesAsRecords(output), isUsual }, room, count, ({ tokens }) => ({
    kind: 'diff',
    text: fitRoom(make, tokens, count),
    readNext: { from: first, to: first + 100 },
  }));
};

/** Each path once, with what all commits changed in it. */
function byPath(files: readonly DiffFile[]): DiffFile[] {
  const paths = new Map<string, DiffFile>();
  for (const file of files) {
    const known = paths.get(file.path);
    if (known) {
      known.added += file.added;
      known.removed += file.removed;
      for (const hunk of file.hunks) known.hunks.push(hunk);
      for (const note of file.notes) known.notes.push(note);
    } else paths.set(file.path, { ...file, hunks: [...file.hunks], notes: [...file.notes] });
  }
  return [...paths.values()];
}

function totals({ commits, files, stats }: DiffText, paths: number): string {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const parts = [
    ...(commits.length > 0 ? [plural(commits.length, 'commit')] : []),
    ...(files.length > 0 ? [`${plural(paths, 'changed file')}, +${added} -${removed}`] : []),
    ...(stats > 0 ? [plural(stats, 'file entry', 'file entries')] : []),
    ...kindsOf(files),
  ];
  return `Diff: ${parts.join(', ')}`;
}

function commitLines(commits: DiffText['commits'], max: number, detail: number): string[] {
  const shown = commits.slice(0, scaled(detail, max, 2));
  return [
    ...shown.map(
      ({ id, line, subject }) => `commit ${id} (line ${line}) ${oneLine(subject, scaled(detail, 90, 50))}`,
    ),
    ...notShown(commits.length - shown.length, 'more commit'),
  ];
}

/** Which files changed says most, so they give way last: first what happened to them, then their names. */
function fileLines(paths: readonly DiffFile[], detail: number): string[] {
  const shown = paths.slice(0, scaled(Math.min(1, detail + 0.3), 30, 4));
  const named = paths.slice(shown.length, shown.length + scaled(Math.min(1, detail + 0.6), 40, 8));
  return [
    ...shown.map((file) => fileLine(file, detail)),
    ...(named.length > 0 ? [`also changed: ${named.map(({ path }) => path).join(', ')}`] : []),
    ...notShown(paths.length - shown.length - named.length, 'more file'),
  ];
}

function fileLine(file: DiffFile, detail: number): string {
  const { path, added, removed, line, notes } = file;
  return [
    `${path} +${added} -${removed} (line ${line})`,
    ...(notes.length > 0 ? [oneLine(notes.join(', '), 120)] : []),
    ...placesOf(file, detail),
  ].join('; ');
}

/** How many files are new, deleted, renamed and so on. */
function kindsOf(files: readonly DiffFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { notes } of files)
    for (const note of notes) {
      const kind = note.split(' ')[0]!;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  return [...counts].map(([kind, n]) => `${n} ${kind === 'mode' ? 'with another mode' : kind}`);
}

/** Functions and classes that hunks name, each once. */
function placesOf(file: DiffFile, detail: number): string[] {
  const names = file.hunks.flatMap(({ header }) => /^@@[^@]{1,80}@@ (\S.*)/.exec(header)?.[1] ?? []);
  const shown = [...new Set(names)].slice(0, scaled(detail, 3)).map((name) => oneLine(name, 50));
  return shown.length > 0 ? [`in ${shown.join(', ')}`] : [];
}

function changesOf(file: DiffFile, detail: number): string[] {
  const [hunk] = file.hunks;
  if (!hunk) return [];
  const shown = hunk.first.slice(0, scaled(detail, 6, 1)).map((line) => oneLine(line, 120));
  const left = file.added + file.removed - shown.length;
  return [`${file.path}: ${oneLine(hunk.header, 80)}`, ...shown, ...notShown(left, 'more changed line')];
}
