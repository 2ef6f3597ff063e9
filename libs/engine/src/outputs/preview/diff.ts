import { linesAsRecords, withOddRecords } from './odd-records.js';
import { linesOf } from './lines/read-lines.js';
import { notShown, plural } from './counts.js';
import { fitRoom, scaled } from './fit-room.js';
import { oneLine } from './one-line.js';
import type { MakePreview } from './preview.js';

export interface DiffFile {
  path: string;
  line: number;
  added: number;
  removed: number;
  /** What happened to the file apart from its lines: new, deleted, renamed from where, another mode, binary. */
  notes: string[];
  hunks: { header: string; line: number; first: string[] }[];
}

export interface DiffText {
  commits: { line: number; id: string; subject: string }[];
  files: DiffFile[];
  /** Lines of `git log --stat`. */
  stats: number;
}

/** Longer lines are read by their start. */
const maxLineLength = 1_000;
/** Changed lines of a hunk that a preview may show. */
const maxFirst = 6;

/** Files, hunks and commits of a diff, of `git show`, `git log -p` or `git log --stat`. */
export function readDiff(text: string): DiffText {
  const read: DiffText = { commits: [], files: [], stats: 0 };
  const lines = linesOf(text).map((line) => line.slice(0, maxLineLength));
  let file: DiffFile | undefined;
  lines.forEach((line, i) => {
    const commit = /^commit ([0-9a-f]{7,64})/.exec(line);
    const path = pathStartedAt(lines, i, file);
    if (commit) {
      read.commits.push({ line: i + 1, id: commit[1]!.slice(0, 10), subject: '' });
      file = undefined;
    } else if (path !== null) {
      file = { path, line: i + 1, added: 0, removed: 0, notes: [], hunks: [] };
      read.files.push(file);
    } else if (file && isInHead(file) && noteOf(line, file)) return;
    else if (line.startsWith('@@') && file) file.hunks.push({ header: line, line: i + 1, first: [] });
    else if (/^[+-]/.test(line) && file) {
      if (!namesFile(lines, i, file)) countChange(line, file);
    } else if (/^ \S.{0,300} \| +(\d+|Bin)/.test(line)) read.stats++;
    else {
      const last = read.commits.at(-1);
      if (last?.subject === '' && /^ {4}\S/.test(line)) last.subject = line.trim();
    }
  });
  return read;
}

/** Between the line that starts a file and its first hunk. */
const isInHead = (file: DiffFile): boolean => file.hunks.length === 0;

/** The path of the file that a line starts; null for any other line. Without git, a file starts with its two names. */
function pathStartedAt(lines: readonly string[], i: number, file: DiffFile | undefined): string | null {
  const line = lines[i]!;
  if (line.startsWith('diff --git ')) return pathOfGit(line.slice('diff --git '.length));
  const isInsideHead = file !== undefined && isInHead(file);
  if (isInsideHead || !areNames(lines, i - 1)) return null;
  const [before, after] = [nameIn(lines[i - 1]!), nameIn(line)];
  return after === '/dev/null' ? before : after;
}

/** `a/path b/path`. A path may hold blanks, so that two equal halves say more than words do. */
function pathOfGit(names: string): string {
  const half = (names.length - 1) / 2;
  const [before, after] = [names.slice(0, half), names.slice(half + 1)];
  if (before === after) return after;
  if (before.replace(/^[a-z]\//, '') === after.replace(/^[a-z]\//, '')) return after.replace(/^[a-z]\//, '');
  return names.slice(names.lastIndexOf(' ') + 1).replace(/^b\//, '');
}

/** Do this line and the next name a file? In a hunk they may be a removed `-- comment` and an added `++ line`. */
const areNames = (lines: readonly string[], i: number): boolean =>
  /^--- \S/.test(lines[i] ?? '') &&
  /^\+\+\+ \S/.test(lines[i + 1] ?? '') &&
  (lines[i + 2] ?? '').startsWith('@@');

const nameIn = (line: string): string =>
  line
    .slice('+++ '.length)
    .split('\t')[0]!
    .replace(/^[ab]\//, '');

const namesFile = (lines: readonly string[], i: number, file: DiffFile): boolean =>
  isInHead(file) ? /^(?:---|\+\+\+) /.test(lines[i]!) : areNames(lines, i) || areNames(lines, i - 1);

function countChange(line: string, file: DiffFile): void {
  if (line.startsWith('+')) file.added++;
  else file.removed++;
  const hunk = file.hunks.at(-1);
  if (hunk && hunk.first.length < maxFirst) hunk.first.push(line);
}

const headLine =
  /^(new file|deleted file|old|new|rename from|rename to|copy from|copy to|similarity index|Binary files|GIT binary)\b ?(.*)/;

/** Takes up what a line of the head of a file says; false when it says nothing of it. */
function noteOf(line: string, file: DiffFile): boolean {
  const found = headLine.exec(line);
  if (!found) return false;
  const [, what = '', rest = ''] = found;
  if (what === 'new file' || what === 'deleted file') file.notes.push(what.replace(' file', ''));
  else if (what === 'old') file.notes.push(rest);
  else if (what === 'new' && file.notes.length > 0)
    file.notes.push(`${file.notes.pop()!} → ${rest.replace('mode ', '')}`);
  else if (what === 'rename from') file.notes.push(`renamed from ${rest}`);
  else if (what === 'copy from') file.notes.push(`copied from ${rest}`);
  else if (what === 'rename to' || what === 'copy to') file.path = rest;
  else if (what.includes('inary')) file.notes.push('binary');
  return true;
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
  const paths = byPath(files);
  const make = (detail: number): string => {
    const shownCommits = commits.slice(0, scaled(detail, files.length > 0 ? 8 : 30, 2));
    // Which files changed says most, so they give way last.
    const shownFiles = paths.slice(0, scaled(Math.min(1, detail + 0.3), 30, 4));
    const named = paths.slice(
      shownFiles.length,
      shownFiles.length + scaled(Math.min(1, detail + 0.6), 40, 8),
    );
    const changes = files.slice(0, scaled(detail, 6)).flatMap((file) => changesOf(file, detail));
    return [
      `Diff: ${[
        ...(commits.length > 0 ? [plural(commits.length, 'commit')] : []),
        ...(files.length > 0 ? [`${plural(paths.length, 'changed file')}, +${added} -${removed}`] : []),
        ...(stats > 0 ? [plural(stats, 'file entry', 'file entries')] : []),
        ...kindsOf(files),
      ].join(', ')}`,
      ...shownCommits.map(
        (commit) =>
          `commit ${commit.id} (line ${commit.line}) ${oneLine(commit.subject, scaled(detail, 90, 50))}`,
      ),
      ...notShown(commits.length - shownCommits.length, 'more commit'),
      ...shownFiles.map((file) =>
        [
          `${file.path} +${file.added} -${file.removed} (line ${file.line})`,
          ...(file.notes.length > 0 ? [oneLine(file.notes.join(', '), 120)] : []),
          ...placesOf(file, detail),
        ].join('; '),
      ),
      ...(named.length > 0 ? [`also changed: ${named.map(({ path }) => path).join(', ')}`] : []),
      ...notShown(paths.length - shownFiles.length - named.length, 'more file'),
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
