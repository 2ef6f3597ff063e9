import { linesOf } from '../lines/read-lines.js';

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
