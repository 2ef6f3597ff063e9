import { PatternSet } from './pattern-set.js';
import { compilerRules } from './rules/compilers.js';
import { exceptionRules } from './rules/exceptions.js';
import { boilerplate, calm, noise, verdicts } from './rules/noise.js';
import { rule, type FailureRule } from './rules/rule.js';
import { hints, hintsInOtherScript } from './rules/hints.js';
import { recordRules } from './rules/records.js';
import { systemRules } from './rules/systems.js';
import { testRules } from './rules/tests.js';

/** The word alone, at the start or marked as a level. */
const plainWords: readonly FailureRule[] = [
  rule(6, /^\s*\[?(?:error|err|fail|failure|fatal|severe|critical)\]?[ :]/i),
  rule(6, /(?:^|\s)(?:ERROR|FATAL|CRITICAL|SEVERE)(?:\s|:)/),
  rule(7, /##\[error\]|::error/),
  // Not in the name of a file or of a package: src/errors/error-code.ts, serialize-error.
  rule(3, /(?<!\w[/.-]|\.\/)\b(?:errors?|failed|failures?|exceptions?)\b(?!-\w|\.[a-z]|\/)/i),
  rule(1, /\bwarn(?:ing)?\b/i),
];

/** How tools say that something failed. A line is worth its best rule, so the heaviest are tried first. */
export const failureRules: readonly FailureRule[] = [
  ...compilerRules,
  ...testRules,
  ...exceptionRules,
  ...systemRules,
  ...recordRules,
  ...plainWords,
].sort((a, b) => b.weight - a.weight);

const hintPatterns = new PatternSet(hints);
/** Rules and then hints: a line is read once for the words of both, and most lines have none. */
const patterns = new PatternSet([...failureRules.map(({ pattern }) => pattern), ...hints]);

const levels =
  /^\[(?:info|error|warn|warning|debug|trace|ERROR|INFO|WARN|WARNING|DEBUG|TRACE)\] ?|^npm (?:ERR!|error) /;

/** What stands after the level with which a line starts, or null when it starts with none. */
function afterLevel(line: string): string | null {
  const found = levels.exec(line);
  return found ? line.slice(found[0].length) : null;
}

/** What a verdict without a reason is worth at most. */
const verdictWeight = 3;

const any = (patterns: readonly RegExp[], line: string): boolean =>
  patterns.some((pattern) => pattern.test(line));

/** Lines that are never worth showing for themselves. */
export const isBoilerplate = (line: string): boolean => any(boilerplate, line);

/** What a line weighs by what it says of a failure. */
export interface LineWeight {
  /** By the rules, from 0 to 10. */
  failure: number;
  /** The same, or what a hint weighs where no rule weighs more: words that say little where many lines have them. */
  withHints: number;
}

const hintWeight = 3;
const nothing: LineWeight = { failure: 0, withHints: 0 };
const hint: LineWeight = { failure: 0, withHints: hintWeight };

/** Weighs a line that was cut to a bounded length and has no timestamp before it. */
export function weighLine(line: string): LineWeight {
  if (calm.test(line)) return nothing;
  const first = patterns.first(line);
  const rest = afterLevel(line);
  if (rest === null && (first < 0 || first >= failureRules.length))
    return first >= 0 || hintsInOtherScript(line) ? hint : nothing;
  const failure = isBoilerplate(line) ? 0 : weightByRules(line, rest, weightOf(first));
  if (failure >= hintWeight || !hasHint(line)) return { failure, withHints: failure };
  return { failure, withHints: hintWeight };
}

/** Weight, from 0 to 10, of a line that was cut to a bounded length and has no timestamp before it. */
export const failureWeight = (line: string): number => weighLine(line).failure;

function weightByRules(line: string, rest: string | null, own: number): number {
  const best = rest === null ? own : Math.max(own, weightOf(patterns.first(rest)));
  if (best === 0) return 0;
  if (any(noise, line) || (rest !== null && any(noise, rest))) return Math.min(best, 1);
  return any(verdicts, line) || (rest !== null && any(verdicts, rest)) ? Math.min(best, verdictWeight) : best;
}

/** Does a line hint at a failure, in words that say little where many lines have them? */
export const hintsAtFailure = (line: string): boolean => !calm.test(line) && hasHint(line);

const hasHint = (line: string): boolean => hintPatterns.first(line) >= 0 || hintsInOtherScript(line);

/** The weight of a rule by its number; hints and no rule at all have none. */
const weightOf = (number: number): number => failureRules[number]?.weight ?? 0;

/** Where a line speaks of a failure, by its best rule: index -1 and weight 0 when it does not. */
export function failureAt(line: string): { index: number; weight: number } {
  const best = failureRules[patterns.first(line)];
  return best ? { index: line.search(best.pattern), weight: best.weight } : { index: -1, weight: 0 };
}

/** Headings under which tools list what failed. */
const headings: readonly RegExp[] = [
  /\b(?:fail|error|problem|issue|offen[cs]e|violation|violat|wrong|undocumented|conflict|missing|invalid|unmet|undefined|mismatch|exception)\w{0,8}\b.{0,120}:\s*$/i,
  /^\W{0,8}(?:Issues? :-?\(|Failures?|Failed tests?|FAILED TEST SUMMARY|short test summary info|FAILURES|ERRORS|Offenses)\W{0,80}$/i,
  /\* What went wrong:|^Failed examples:|^error during build:|<--- Last few GCs --->/,
  /^There (?:was|were) \d+ (?:failure|error)|^\s*[1-9]\d* failing$/,
];

/** Does a line announce that the lines after it say what failed? */
export const isHeading = (line: string): boolean => line.length < 200 && any(headings, line);
