import { declarationsIn } from './code/declarations.js';
import { failureWeight } from './failure/failure-rules.js';
import { isSourceLine } from './failure/source-line.js';
import { readText, type ReadLines } from './lines/read-lines.js';
import { looksLikeLog, tellsOfFailure } from './log/looks-like-log.js';
import type { OutputKind } from './preview.js';
import { matchLine } from './search-results.js';
import { parseTable } from './table/parse-table.js';

/** What is looked at, from the start: enough to tell a kind, and the same time for a text of any length. */
const sampled = { chars: 24_000, lines: 300, charsOfLine: 500 } as const;

/**
 * How much of a sample must look like a kind. Shares are of its lines that are not blank. Where a kind is mixed with
 * other lines by the tools that print it, its share is smaller; where other kinds look like it, larger.
 */
const needed = {
  diff: {
    /** The rest may be the message of a commit and what a command printed around the diff. */
    lines: 0.6,
  },
  search: {
    /** One or two matches are as likely to be a message that names a place in a file. */
    filled: 3,
    /** With -A, -B and -C the lines around a match have another form, and `--` separates them. */
    lines: 0.7,
    /** Times and compilers write `a:12:` too: with so many of them it is a log. */
    maxOfLog: 0.2,
  },
  listing: {
    /** Two lines are no list. */
    filled: 3,
    /** `ls -lR` and `tree` print names of folders, totals and counts between their lines. */
    lines: 0.6,
    /** Logs and prose name paths as well: in a list of paths hardly any line holds anything else. */
    paths: 0.85,
  },
  code: {
    /** Fewer lines than these may be a command or an error. */
    filled: 5,
    /** Lines that start with a time or a level: a log may print source. */
    maxOfLog: 0.1,
    /** Nearly each line has its number, as tools that read files print them; then it is a file ... */
    numbered: 0.8,
    /** ... and may be data or prose: fewer of its lines need signs of code. */
    linesOfNumbered: 0.3,
    /** Comments and long texts in code have no sign of it. */
    lines: 0.45,
    /** Functions or classes in it: configuration has signs of code, and no two of these. */
    declarations: 2,
  },
  table: {
    /** A header and three rows: in fewer, separators may agree by chance. */
    filled: 4,
    /** One column or one row has nothing to compare. */
    columns: 2,
    rows: 2,
    /** The rest may be a title and a count of rows. */
    lines: 0.5,
    /** Prose with commas is no table: its cells are long. */
    charsOfLongCell: 160,
    maxOfLongCells: 0.1,
    rowsLookedAt: 30,
  },
  testReport: {
    /** Reports of tests print the source of what failed: one line of their own in a hundred tells them from code. */
    lines: 0.01,
  },
  failure: {
    /** The weight, from 0 to 10, of a line that reports a failure and does not only mention one. */
    weight: 8,
    /** A table may hold messages of failures; a log has them on more of its lines. */
    maxOfTable: 0.1,
  },
} as const;

/** What a text holds. */
export function kindOf(whole: string): OutputKind {
  const { text, lines } = readText(whole);
  return kindOfLines(text, lines);
}

/** What a text holds, decided on a bounded sample of what stands after the times and names of its lines. */
export function kindOfLines(text: string, lines: ReadLines): OutputKind {
  // JSON lines of a logger are JSON, unless something stands before them.
  if (lines.isUnwrapped) return /^\s*\{/.test(text) && isJson({ text, filled: [] }) ? 'json' : 'log';
  const sample = new Sample(text, lines);
  return kinds.find(({ is }) => is(sample))?.kind ?? 'text';
}

/** The start of a text, and what is asked of it more than once. */
class Sample {
  readonly start: string;
  /** Its lines that are not blank, each cut. */
  readonly filled: string[] = [];
  private reported: number | undefined;

  constructor(
    readonly text: string,
    readonly lines: ReadLines,
  ) {
    this.start = text.slice(0, sampled.chars);
    const { bare } = lines;
    let chars = 0;
    for (let i = 0; i < bare.length && i < sampled.lines && chars < sampled.chars; chars += bare[i++]!.length)
      if (bare[i]!.trim() !== '') this.filled.push(bare[i]!.slice(0, sampled.charsOfLine));
  }

  /** The share of lines that a pattern matches. */
  share(pattern: RegExp): number {
    return this.filled.filter((line) => pattern.test(line)).length / Math.max(1, this.filled.length);
  }

  /** Lines that report a failure. Code may speak of failures and reports none. */
  get failures(): number {
    return (this.reported ??= this.filled.filter(
      (line) => failureWeight(line) >= needed.failure.weight && !isSourceLine(line),
    ).length);
  }
}

/** The kinds in the order in which they are tried: each test may trust those before it. */
const kinds: readonly { kind: OutputKind; is: (sample: Sample) => boolean }[] = [
  { kind: 'html', is: ({ start }) => htmlStart.test(start) },
  { kind: 'json', is: (sample) => /^\s*[[{]/.test(sample.start) && isJson(sample) },
  {
    kind: 'diff',
    is: (sample) => diffStart.test(sample.start) && sample.share(diffLine) > needed.diff.lines,
  },
  { kind: 'search', is: isSearch },
  // Before listings and code: a log of a build prints both, and the failure in it matters more.
  { kind: 'log', is: ({ lines }) => lines.isPrefixed && tellsOfFailure(lines) },
  { kind: 'listing', is: (sample) => sample.failures === 0 && isListing(sample) },
  {
    kind: 'code',
    is: (sample) => sample.share(testReportLine) <= needed.testReport.lines && isCode(sample),
  },
  { kind: 'table', is: isTable },
  {
    kind: 'log',
    is: ({ lines }) => lines.isPrefixed || looksLikeLog(lines.bare) || tellsOfFailure(lines),
  },
];

/** A page may start with a declaration of XML and with comments. */
const htmlStart =
  /^\s*(?:<\?xml[^>]{0,300}>\s*|<!--(?:(?!-->)[^]){0,2000}-->\s*){0,8}(?:<!doctype html|<html\b|<(?:head|body|div|main|article|section|p|h1)\b[^>]{0,300}>)/i;
const diffStart = /^(diff --git |--- \S.{0,300}\n\+\+\+ |Index: |commit [0-9a-f]{7,64}$)/m;
const diffLine = /^([+\- @\\]|diff |index |commit |Author|Date|Merge|(new|deleted) file|similarity|rename|$)/;
/** Of pytest: its errors, and its headings between lines. */
const testReportLine = /^E {3,}|^_{4,} .{1,200} _{4,}$|^={5,}/;

/** Whole JSON ends as it began; JSON lines are objects, each on its own. */
function isJson({ text, filled }: Pick<Sample, 'text' | 'filled'>): boolean {
  const end = text.trimEnd().at(-1);
  if (
    (end === '}' || end === ']') &&
    /^\s*(\{\s*("|\})|\[\s*([[{"\d\]]|true|false|null|-))/.test(text.slice(0, 200))
  )
    return true;
  return filled.length > 1 && filled.every((line) => /^\s*[{[]/.test(line));
}

/** A time, or a place at which a compiler or a linter has something to say: both look like a match of a search. */
const clockOrLevel =
  /^[[(]?\d{1,2}:\d\d:\d\d|T\d\d:\d\d:|:\d+:(?:\d+:)? ?[[(]?(?:error|warning|fatal|note|info|hint|style)\b/;

function isSearch(sample: Sample): boolean {
  const { filled, lines, maxOfLog } = needed.search;
  return (
    sample.filled.length >= filled &&
    matchLine.test(sample.filled[0]!) &&
    sample.share(/^[^:\s]{1,300}:\d{1,8}:/) > lines &&
    sample.share(clockOrLevel) < maxOfLog
  );
}

function isListing(sample: Sample): boolean {
  const { filled, lines, paths } = needed.listing;
  if (sample.filled.length < filled) return false;
  const rights = /^[bcdlps-][rwxsStT-]{9}/;
  const branches = /^[\s│|]*(├|└|\+--|`--|├─)/;
  if (sample.share(rights) > lines || sample.share(branches) > lines) return true;
  const pathAlone = /^\s*(\.{0,2}\/)?[\w.@+~-]{1,100}(\/[\w.@+~ -]{1,100}){1,40}\/?$/;
  return sample.share(pathAlone) > paths;
}

const codeLine =
  /[;{}]\s*$|^\s*(import|from|export|const|let|var|def|class|function|return|if|for|while|public|private|pub|fn|use|func|package|#include|@\w+|\/\/|\/?\*|#\s|"""|else|elif|try|except|match|impl)\b|^\s*(\/\/|\/\*|\*\/|#!|"""|\}|\)|\])|=>|::|\(\) *[{:]/;
const lineOfLog = /^\s*\[?\d{4}-\d\d-\d\d|^\s*(INFO|WARN|ERROR|DEBUG)\b/;
/** A line with its number before it, and one of these with a sign of code in it. */
const numberedLine = /^\s{0,7}\d{1,7}(\t|→|: ?|\| ?)/;
const numberedCode = /^\s{0,7}\d{1,7}(\t|→|: ?|\| ?).*[;{}()=:]/;

function isCode(sample: Sample): boolean {
  const { filled, maxOfLog, numbered, linesOfNumbered, lines, declarations } = needed.code;
  if (sample.filled.length < filled || sample.share(lineOfLog) > maxOfLog) return false;
  const hasSigns =
    sample.share(numberedLine) > numbered
      ? sample.share(numberedCode) > linesOfNumbered
      : sample.share(codeLine) > lines;
  return hasSigns && declarationsIn(sample.start).length >= declarations;
}

function isTable({ text, start, filled, failures }: Sample): boolean {
  const { columns, rows, lines, charsOfLongCell, maxOfLongCells, rowsLookedAt } = needed.table;
  if (filled.length < needed.table.filled || failures >= filled.length * needed.failure.maxOfTable)
    return false;
  // The last line of a sample may be half a row.
  const whole = text.length > sampled.chars ? start.slice(0, start.lastIndexOf('\n') + 1) : start;
  const table = parseTable(whole);
  if (!table || table.columns.length < columns || table.rows.length < rows) return false;
  const cells = table.rows.slice(0, rowsLookedAt).flat();
  const long = cells.filter((cell) => cell.length > charsOfLongCell).length;
  return long < cells.length * maxOfLongCells && table.rows.length >= filled.length * lines;
}
