import { linesAsRecords, withOddRecords } from './odd-records.js';
import { linesOf } from './head-tail.js';
import { fitRoom, oneLine, plural, scaled } from './fit-room.js';
import type { MakePreview } from './preview.js';

export interface DiffFile {
  path: string;
  line: number;
  added: number;
  removed: number;
  hunks: { header: string; line: number; first: string[] }[];
}

export interface DiffText {
  commits: { line: number; id: string; subject: string }[];
  files: DiffFile[];
  /** Lines of `git log --stat`. */
  stats: number;
}

/** Files, hunks and commits of a diff, of `git show`, `git log -p` or `git log --stat`. */
export function readDiff(text: string): DiffText {
  const read: DiffText = { commits: [], files: [], stats: 0 };
  let file: DiffFile | undefined;
  linesOf(text).forEach((whole, i) => {
    const line = whole.slice(0, 1_000);
    const commit = /^commit ([0-9a-f]{7,64})/.exec(line);
    const start =
      /^diff --git (?:a\/)?(.+?) (?:b\/)?(\S+)$/.exec(line) ?? /^\+\+\+ (?:b\/)?([^\t]+)()/.exec(line);
    if (commit) {
      read.commits.push({ line: i + 1, id: commit[1]!.slice(0, 10), subject: '' });
      file = undefined;
    } else if (start) {
      const path = start[2] || start[1]!;
      if (file?.path === path || (line.startsWith('+++') && file && file.hunks.length === 0)) return;
      file = { path, line: i + 1, added: 0, removed: 0, hunks: [] };
      read.files.push(file);
    } else if (line.startsWith('@@') && file) file.hunks.push({ header: line, line: i + 1, first: [] });
    else if (/^[+-](?![+-]{2} )/.test(line) && file) {
      if (line.startsWith('+')) file.added++;
      else file.removed++;
      const hunk = file.hunks.at(-1);
      if (hunk && hunk.first.length < 6) hunk.first.push(line);
    } else if (/^ \S.{0,300} \| +(\d+|Bin)/.test(line)) read.stats++;
    else {
      const last = read.commits.at(-1);
      if (last?.subject === '' && /^ {4}\S/.test(line)) last.subject = line.trim();
    }
  });
  return read;
}

/** Lines of a diff and of a log of commits; a conflict that was committed is none of them. */
const partOfDiff =
  /^(?:[+-](?!\s?(?:<{7}|>{7}) )|[ @\\]|diff |index |commit |Author|Date|Merge|(?:new|deleted|old) |similarity|dissimilarity|rename|copy|Binary files|GIT binary|$)/;

/** What changed where: commits with their subjects, files with counts, then the first changed lines of each. */
export const previewDiff: MakePreview = (output, room, count) => {
  const { text } = output;
  const { commits, files, stats } = readDiff(text);
  if (files.length + commits.length === 0) return null;
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const make = (detail: number): string => {
    const shownCommits = commits.slice(0, scaled(detail, files.length > 0 ? 8 : 30, 2));
    const shownFiles = files.slice(0, scaled(detail, 25, 3));
    const changes = files.slice(0, scaled(detail, 6)).flatMap((file) => changesOf(file, detail));
    return [
      `Diff: ${[
        ...(commits.length > 0 ? [plural(commits.length, 'commit')] : []),
        ...(files.length > 0 ? [`${plural(files.length, 'changed file')}, +${added} -${removed}`] : []),
        ...(stats > 0 ? [plural(stats, 'file entry', 'file entries')] : []),
      ].join(', ')}`,
      ...shownCommits.map(
        (commit) => `commit ${commit.id} (line ${commit.line}) ${oneLine(commit.subject, 90)}`,
      ),
      ...more(commits.length - shownCommits.length, 'commit'),
      ...shownFiles.map((file) => `${file.path} +${file.added} -${file.removed} (line ${file.line})`),
      ...more(files.length - shownFiles.length, 'file'),
      ...changes,
    ].join('\n');
  };
  const first = files[0]?.line ?? commits[0]!.line;
  const isUsual = (said: string): boolean => partOfDiff.test(said);
  return withOddRecords({ ...linesAsRecords(output), isUsual }, room, count, ({ tokens }) => ({
    kind: 'diff',
    text: fitRoom(make, tokens, count),
    readNext: { from: first, to: first + 100 },
  }));
};

const more = (n: number, noun: string): string[] =>
  n > 0 ? [`--- ${plural(n, `more ${noun}`)} not shown ---`] : [];

function changesOf(file: DiffFile, detail: number): string[] {
  const [hunk] = file.hunks;
  if (!hunk) return [];
  const shown = hunk.first.slice(0, scaled(detail, 6, 1)).map((line) => oneLine(line, 120));
  const left = file.added + file.removed - shown.length;
  return [`${file.path}: ${oneLine(hunk.header, 80)}`, ...shown, ...more(left, 'changed line')];
}
