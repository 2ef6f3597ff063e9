/** What a line is worth to someone who asks why a run failed. */
export interface FailureRule {
  pattern: RegExp;
  /** 10 states a cause in so many words; 1 hints at one. */
  weight: number;
}

/**
 * How tools say that something failed, by family. A line is worth its best rule. The patterns are bounded: no
 * repetition inside a repetition, and lines are cut before they are matched.
 */
export const failureRules: readonly FailureRule[] = [
  // Compilers and linters: file, place, error.
  { pattern: /:\d+(:\d+)?:? (fatal )?error\b/, weight: 10 },
  { pattern: /\(\d+,\d+\): error\b|- error TS\d+/, weight: 10 },
  { pattern: /^\s*(fatal )?error(\[\w+\]| [A-Z]{1,6}\d+| [a-z][\w-]{1,60})?: \S/i, weight: 9 },
  { pattern: /^\s*\d+:\d+\s+error\b/, weight: 9 },
  { pattern: /^\S+\.\w{1,8}:\d+(:\d+)?:? (?!warning|note|in |info)\S/, weight: 5 },
  {
    pattern:
      /\b(undefined reference|undefined symbol|multiple definition|cannot find -l|redeclared|redefinition)\b/i,
    weight: 9,
  },
  {
    pattern:
      /\b(is unbound|undefined in|is not a member|is undefined|not declared|was not declared|cannot find symbol)\b/,
    weight: 7,
  },
  { pattern: /^\s*ld(\.\w+)?: |collect2: error|LNK\d{4}/, weight: 6 },

  // Test runners.
  { pattern: /^\s*(--- )?FAIL(ED|URE)?:? \S/, weight: 10 },
  { pattern: /(^|\s)(\*\*\* )?FAILED(\s*\*\*\*)?\s*$|\bFAILED\b\s*[-(<[]/, weight: 10 },
  { pattern: /^\s*not ok \d+(?!.*# (TODO|SKIP))/i, weight: 10 },
  { pattern: /^\s*[✗✕✖✘×●]\s+\S/, weight: 9 },
  { pattern: /^\s*(Failure|Error|Failed|FAILURE|ERROR):?\s*$/, weight: 7 },
  { pattern: /^\s*\d+\) \S/, weight: 4 },
  { pattern: /^E {3,}\S/, weight: 9 },
  { pattern: /\bassert(ion)?(error| failed| failure)?\b.{0,3}[:!]|\bAssertion\w* failed/i, weight: 9 },
  { pattern: /\bexpected\b.{0,200}\b(to|but|got|was|received|actual|not)\b/i, weight: 7 },
  { pattern: /^\s*[-+]?\s*(expected|actual|received|got|want)\s*[:=]/i, weight: 5 },
  { pattern: /\bfailed (on line|at) /i, weight: 6 },
  { pattern: /\b[1-9]\d* (tests? )?(failed|failures?|failing|errors?)\b/i, weight: 3.5 },
  {
    pattern:
      /\bwas not (equal|greater|less|true|false|null|the same)|did not (match|equal|throw|raise)|not raised\b/i,
    weight: 7,
  },

  // Exceptions and crashes.
  { pattern: /\b[A-Z]\w{0,60}(Error|Exception|Failure|Fault)\b\s*[:(]/, weight: 9 },
  { pattern: /^\s*(\[\w+\]\s*)?(Uncaught|Unhandled|Caused by:|panic:|PANIC)\b/, weight: 9 },
  { pattern: /\bpanicked at\b|^thread '.{0,80}' panicked/, weight: 10 },
  { pattern: /^\s*\*\* \(\w+/, weight: 9 },
  { pattern: /^Traceback \(most recent call last\)/, weight: 6 },
  {
    pattern:
      /\b(segmentation fault|core dumped|bus error|stack overflow|access violation|illegal instruction)\b/i,
    weight: 9,
  },
  {
    pattern:
      /\b(out of memory|OOMKilled|heap limit|Cannot allocate memory|No space left on device)\b|^Killed$/i,
    weight: 9,
  },
  { pattern: /\bsignal\(error|^\s*(rake|bundler|cargo|gulp|grunt)\b.{0,40}\baborted/i, weight: 8 },
  { pattern: /\b(badmatch|badarg|function_clause|case_clause|undef),|^Reason: /, weight: 8 },

  // Files, networks, packages, shells.
  { pattern: /\bfatal: \S|^FATAL\b/, weight: 8 },
  {
    pattern:
      /\bNo such file or directory\b|\bcommand not found\b|\bPermission denied\b|is (currently )?not installed/i,
    weight: 8,
  },
  {
    pattern:
      /\b(cannot|can't|could ?n[o']t|couldn't|unable to|failed to) (find|resolve|open|load|locate|import|connect|establish|access|create|read|write|be|build|checkout|download|fetch|execute|parse)\b/i,
    weight: 8,
  },
  {
    pattern:
      /\b(Module not found|Cannot find module|No module named|Could not resolve|unresolved import|No matching version|ERESOLVE|ETARGET|ENOENT|ECONN\w{3,8}|ETIMEDOUT|EACCES)\b/,
    weight: 9,
  },
  {
    pattern:
      /\b(could not be resolved|no matching package|unmet dependenc|version conflict|incompatible with|dependency conflict|requested package)\b/i,
    weight: 8,
  },
  {
    pattern:
      /\b(No rule to make target|No Rakefile found|no such (option|command|target)|unknown (option|switch|flag|command)|illegal (option|switch|character)|unrecognized (option|argument)|invalid (argument|option|reference|syntax|value)|Unexpected token|syntax error|parse error)\b/i,
    weight: 8,
  },
  {
    pattern:
      /\b(4\d\d|5\d\d) (Not Found|Forbidden|Unauthorized|Internal Server Error|Bad Gateway|Service Unavailable)\b|Empty reply from server|Connection (refused|reset|timed out)|HTTP connection/i,
    weight: 7,
  },
  {
    pattern:
      /\b(timed out|timeout exceeded|has been terminated|No output has been received|exceeded the maximum|deadline exceeded)\b/i,
    weight: 7,
  },
  {
    pattern: /\b(conflict|checksum|hash|signature|version) (mismatch|does not match|in \S)|\bCONFLICT \(/i,
    weight: 8,
  },
  {
    pattern:
      /\b(does not (match|exist|support|satisfy)|did not find|is missing|are missing|missing (expected|required|dependency|argument)|not in order|appears to be|wrong version|is not (a|valid|available|supported|recognized|allowed))\b/i,
    weight: 6,
  },
  {
    pattern: /\b(violations?|style issues?|forgot to run|broken links?|misspelled|undocumented)\b/i,
    weight: 6,
  },
  { pattern: /^Issues? :-?\(|^Problem \d+|^\s+Problem \d+/i, weight: 6 },

  // The word alone, at the start or marked as a level.
  { pattern: /^\s*(\[?(error|err|fail|failure|fatal|severe|critical)\]?)\b[ :]/i, weight: 6 },
  { pattern: /(^|\s)(ERROR|FATAL|CRITICAL|SEVERE)(\s|:)/, weight: 6 },
  { pattern: /##\[error\]|::error/, weight: 7 },
  { pattern: /\b(error|failed|failure|exception)\b/i, weight: 3 },
  { pattern: /\bwarning\b|\bwarn\b/i, weight: 1 },
];

/** Lines that speak of failure and state none. */
const noise: readonly RegExp[] = [
  /^\s+(-\w|--[\w-]+)\b/,
  /[▬█▓▒░=#.․]{15}/,
  /\b0 (errors?|failures?|failed|failing|problems?)\b(?!.*\b[1-9]\d* (errors?|fail))/i,
  /\b(no|without|zero) (errors?|failures?|problems?)\b/i,
  /^\s*(\$|\+{1,4}|>) ?\S.*(error|fail)/i,
  /\bdeprecat/i,
  /-W(no-)?error|--(no-)?error|\b(fail-?fast|fail-on|on-error|onError|error-(log|handler|page|code)|errors?\.(js|ts|py|rb|go|rs|c|h|html|json))\b/,
  /^\s*(Compiling|Downloading|Downloaded|Installing|Unpacking|Selecting|Setting up|Get:|Fetched|Hit:|Ign:|Linking|Checking|Cloning|remote:|Receiving|Resolving|added|copying|creating|adding)\b/,
  /^\s*(ok \d+|✓|✔|√|PASS\b|\[ *OK *\]|--- PASS)/,
  /ELIFECYCLE|Exit status \d+/,
  /Consider refactoring|run with `?RUST_BACKTRACE|for more information|--stacktrace option|--info or --debug|Get more help at/i,
  /^\s*at [\w.$<>]+\(|^\s+from \/|^\s*File ".*", line \d+/,
  /^\s*#|^\s*\/\/|^\s*\* |^ {2,}(if|fi|then|else|case|esac|for|done|while|echo|local|return|export|function|elif)\b/,
];

/** Totals and verdicts: they say that something failed, and neither what nor why. */
const verdicts: readonly RegExp[] = [
  /\b[1-9]\d* (tests?|specs?|examples?|suites?|files?|checks?)\b.{0,20}\bfail/i,
  /\bfailed:? total\b|\btests? (unsuccessful|failed)\b|^\W*(tests?|suites?|ran|results?|test result):? .{0,80}\bfail/i,
  /\b(build|compilation|execution|script|task|job|command|run|test)s? (has |have )?failed\b|\berrored after\b/i,
  /\b(exited|failed|finished|ended) with\b.{0,30}\d/i,
  /^FAILED \((failures|errors)=/,
  /^FAIL\s*$|^Failed tests:?\s*$/i,
];

/** What tools print around any failure whatever. */
const boilerplate: readonly RegExp[] = [
  /^npm (ERR!|error)( |$)(?!.*\b(notarget|not found|code E(?!LIFECYCLE)|missing|peer|could not|unable|no such|cannot|invalid|conflict|syntax|unsupported|engine))/i,
  /^error Command failed|^info Visit https/,
  /^(store build cache|nothing changed|changes detected|Done\. Your build exited|travis_(fold|time):)/,
  /^\s*[-=*_~─━═]{3,}\s*$/,
];

/** Lines that are never worth showing for themselves. */
export const isBoilerplate = (line: string): boolean => boilerplate.some((pattern) => pattern.test(line));

/** Weight of a line that was cut to a bounded length. */
export function failureWeight(line: string): number {
  if (line.trim() === '' || isBoilerplate(line)) return 0;
  let best = 0;
  for (const { pattern, weight } of failureRules) if (weight > best && pattern.test(line)) best = weight;
  if (best === 0) return 0;
  if (noise.some((pattern) => pattern.test(line))) return Math.min(best, 1);
  return verdicts.some((pattern) => pattern.test(line)) ? Math.min(best, 3) : best;
}
