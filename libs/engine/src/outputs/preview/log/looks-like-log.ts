import { cleanLine } from './clean-line.js';
import { isRunnerMarker } from './failing-steps.js';
import { failureWeight } from './failure-rules.js';
import { withoutPrefix } from './line-prefix.js';

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

/** Is this the output of something that ran? Looks at bounded samples, whatever the length. */
export function looksLikeLog(text: string): boolean {
  const lines = samplesOf(text).map((line) => cleanLine(line.slice(0, 400)));
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length < 3) return false;
  const marked = filled.filter((line) => signs.some((sign) => sign.test(line))).length;
  const failures = filled.filter((line) => failureWeight(withoutPrefix(line)) >= 8).length;
  return marked / filled.length > 0.12 || (marked >= 2 && failures >= 1 && marked + failures >= 4);
}

const bytesAround = 16_000;

function samplesOf(text: string): string[] {
  if (text.length <= 3 * bytesAround) return text.split('\n').slice(0, 3 * sample);
  const middle = Math.floor(text.length / 2);
  return [
    text.slice(0, bytesAround),
    text.slice(middle, middle + bytesAround),
    text.slice(-bytesAround),
  ].flatMap((part) => part.split('\n').slice(1, -1).slice(0, sample));
}

const level = /(^|\s|\[)(ERROR|FATAL|CRITICAL|SEVERE|PANIC)(\s|:|\])/;

/** Does any line of a text say that something failed, in words no source code has? */
export function tellsOfFailure(text: string): boolean {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const line = withoutPrefix(
      cleanLine(text.slice(from, Math.min(end < 0 ? text.length : end, from + 400))),
    );
    if (isRunnerMarker(line) || level.test(line)) return true;
    if (failureWeight(line) >= 8 && !/[;{},]\s*$|\bthrow\b|=>|^\s*(\*|\/\/|#)/.test(line)) return true;
    if (end < 0) return false;
    from = end + 1;
  }
  return false;
}
