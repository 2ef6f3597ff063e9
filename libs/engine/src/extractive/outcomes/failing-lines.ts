import { failureWeight } from '../../outputs/preview/failure/failure-rules.js';
import { isSourceLine } from '../../outputs/preview/failure/source-line.js';
import { matchedLength } from '../../outputs/preview/lines/clean-line.js';
import { readText } from '../../outputs/preview/lines/read-lines.js';
import type { OutputKind } from '../../outputs/preview/preview.js';
import { kindOfLines } from '../../outputs/preview/sniff.js';
import { exitCodeIn } from './exit-code.js';
import { NewWords } from '../new-words.js';
import { choice } from '../weights.js';

/** How tools say that they failed where a format has no field for it. */
export const beginsAsError = /^\s*(?:error\s*:|\[error\]|\{\s*"error"\s*:\s*["{])/i;

/** Minimum weight, from 0 to 10, of a line that is a failure of its result: see failure-rules.ts of the previews. */
const needed = {
  /** The tool says that it failed. */
  ofError: 1,
  /** A level or a word for failure that the line begins with. */
  usual: 6,
  /** The exit code says that all went well: what a tool states outright may still matter. */
  ofWell: 8,
} as const;
/** Such outputs speak of failures and report none. */
const speaksOnly: ReadonlySet<OutputKind> = new Set(['code', 'search', 'diff', 'listing']);
const wentWell = /\[?exit code:? 0\]?\s*$/i;
/** Characters that are read from either end of a result: larger ones are stubs, which hold little more. */
const readFromEnd = 20_000;
const linesOfResult = 2;
/** A second line that weighs less beside the heaviest is most often no failure: progress, and what came of the first. */
const maxLighter = 2;
/** A line of fewer words names an error and does not say what is wrong. */
const tellingWords = 5;
/** A line of so few characters that ends in a colon announces the next one. */
const bareHeading = 60;

/**
 * The lines of a result that say most of what failed, the heaviest first, at most two. None of a result that reports no
 * failure; at least one where the tool says that it failed.
 */
export function failingLines(text: string, isError: boolean): string[] {
  const read = readText(ends(text));
  const isFailed = isError || beginsAsError.test(text);
  const minWeight = isFailed
    ? needed.ofError
    : wentWell.test(text.slice(-60)) || exitCodeIn(text) === 0
      ? needed.ofWell
      : needed.usual;
  const lines = read.lines.bare.map((line) => line.trim());
  const heaviestFirst = lines
    .map((line, i) => ({ i, weight: failureWeight(line.slice(0, matchedLength)) }))
    .filter(({ i, weight }) => weight >= minWeight && !isSourceLine(lines[i]!) && !isListed(lines, i))
    .map(({ i, weight }) => ({ i, weight, reason: withNext(lines, i) }))
    .sort(
      (a, b) => b.weight - a.weight || Number(saysWhy(b.reason)) - Number(saysWhy(a.reason)) || a.i - b.i,
    );
  // The kind takes longest to tell, and most results have no such line.
  const isOnlySpoken =
    !isFailed && heaviestFirst.length > 0 && speaksOnly.has(kindOfLines(read.text, read.lines));
  if (isOnlySpoken) return [];
  const reasons: string[] = [];
  for (const { weight, reason } of heaviestFirst) {
    if (reasons.length === linesOfResult || weight < heaviestFirst[0]!.weight - maxLighter) break;
    if (!reasons.some((other) => repeats(reason, other) || repeats(other, reason))) reasons.push(reason);
  }
  const first = lines.find((line) => line !== '');
  return reasons.length === 0 && isFailed && first !== undefined ? [first] : reasons;
}

const saysWhy = (line: string): boolean => line.split(/\s+/, tellingWords).length === tellingWords;

/** Tools name one failure more than once: where it happened, and again in the list at their end. */
function repeats(text: string, earlier: string): boolean {
  const words = new NewWords();
  words.add(earlier);
  return words.shareIn(text) < choice.minNewWords;
}

const ends = (text: string): string =>
  text.length <= 2 * readFromEnd ? text : `${text.slice(0, readFromEnd)}\n${text.slice(-readFromEnd)}`;

/** A line of a file as tools print it: its number follows that of the line before it, or is followed by the next. */
function isListed(lines: readonly string[], at: number): boolean {
  const number = numberOf(lines[at]);
  return numberOf(lines[at - 1]) === number - 1 || numberOf(lines[at + 1]) === number + 1;
}

const numberOf = (line = ''): number => Number(/^\d{1,7}(?=$|[\s:|→])/.exec(line)?.[0] ?? NaN);

/** `ERROR:` alone says nothing: the reason is the line after it. */
function withNext(lines: readonly string[], at: number): string {
  const line = lines[at]!;
  if (line.length > bareHeading || !line.endsWith(':')) return line;
  const next = lines.slice(at + 1, at + 4).find((one) => one !== '');
  return next === undefined ? line : `${line} ${next}`;
}
