import { failureWeight } from '../failure/failure-rules.js';
import { isSourceLine } from '../failure/source-line.js';
import type { ReadLines } from '../lines/read-lines.js';
import { isRunnerMarker } from './failing-steps.js';

/** Lines looked at from the start, the middle and the end. */
const sample = 120;

/** What only logs are full of: levels, timestamps, progress, verdicts, commands being echoed. */
const signs: readonly RegExp[] = [
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\s*\[?\d\d:\d\d:\d\d/,
  /^\s*\[?(INFO|DEBUG|WARN(ING)?|ERROR|FATAL|TRACE|info|warn|error|debug)\]?[ :]/,
  /^(\$|\+{1,3}|>) \S/,
  /^\s*(ok|not ok) \d+|^\s*(✓|✗|✕|✖|✔|√|PASS|FAIL|--- (PASS|FAIL))/,
  /\.\.\. ?(ok|done|yes|no|FAIL(ED)?|ERROR|passed|failed)$|\b(PASSED|FAILED)\b/,
  /^(Get|Hit|Ign|Fetched|Setting up|Unpacking|Selecting|Downloading|Downloaded|Installing|Compiling|Building|Linking|Cloning|remote:|npm (ERR!|WARN|error|warn)|make(\[\d+\])?:|yarn|pip|Collecting|Requirement already)/,
  /^\S+:\d+(:\d+)?: (fatal )?(error|warning|note):|\(\d+,\d+\): (error|warning)|- (error|warning) TS\d+/,
  /^\s*\d+:\d+\s+(?:error|warning)\s/,
  /travis_|^##\[|^::(group|error|warning)|The command ".*" exited with/,
  /^\s*at [\w.$<>]+ ?\(|^\s+File ".*", line \d+|^Traceback \(most recent/,
  /\b\d+ (passed|failed|failing|passing|errors?|warnings?)\b/i,
];

/** Is this the output of something that ran? Looks at bounded samples, however many lines there are. */
export function looksLikeLog(bare: readonly string[]): boolean {
  const filled = samplesOf(bare).filter((line) => line.trim() !== '');
  if (filled.length < 3) return false;
  const marked = filled.filter((line) => signs.some((sign) => sign.test(line))).length;
  const failures = filled.filter((line) => failureWeight(line) >= 8).length;
  return marked / filled.length > 0.12 || (marked >= 2 && failures >= 1 && marked + failures >= 4);
}

function samplesOf(bare: readonly string[]): string[] {
  const middle = Math.floor((bare.length - sample) / 2);
  const lines =
    bare.length <= 3 * sample
      ? bare
      : [...bare.slice(0, sample), ...bare.slice(middle, middle + sample), ...bare.slice(-sample)];
  return lines.map((line) => line.slice(0, 400));
}

const level = /(^|\s|\[)(ERROR|FATAL|CRITICAL|SEVERE|PANIC)(\s|:|\])/;

/** Does any line say that something failed, in words no source code has? */
export const tellsOfFailure = ({ bare, weights }: ReadLines): boolean =>
  bare.some((whole, i) => {
    const line = whole.length > 400 ? whole.slice(0, 400) : whole;
    if (weights.failure[i]! >= 8 && !isSourceLine(line)) return true;
    return line !== '' && (isRunnerMarker(line) || level.test(line));
  });
