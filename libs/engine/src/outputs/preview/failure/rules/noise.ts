/** What goes well, by its first word: most lines of most logs, so they are known before any rule is tried. */
export const calm =
  /^\s*(?:$|ok \d|[✓✔√] |(?:Get|Hit|Ign):\d|(?:Unpacking|Selecting previously|Preparing to unpack|Downloading|Downloaded|Compiling|Receiving objects:|Resolving deltas:) (?!.{0,300}(?:fail|error:))|\[ *(?:OK|RUN) *\]|--- PASS|=== RUN)/;

/** Lines that speak of failure and state none. */
export const noise: readonly RegExp[] = [
  /^\s+(?:-\w|--[\w-]+)\b/,
  /[▬█▓▒░=#.․]{15}(?!=* (?:FAIL|ERROR))/,
  /\b0 (?:errors?|failures?|failed|failing|problems?)\b(?!.{0,300}\b[1-9]\d* (?:errors?|fail))/i,
  /\b(?:Failures|Errors|failed|errors)\b ?[:=] ?0\b(?!.{0,200}\b(?:Failures|Errors|failed|errors) ?[:=] ?[1-9])/,
  /\b(?:no|without|zero) (?:errors?|failures?|problems?)\b/i,
  /^\s*(?:\$|\+{1,4}|>) ?\S.{0,300}(?:error|fail)/i,
  /\bdeprecat/i,
  /-W(?:no-)?error|--(?:no-)?error|\b(?:fail-?fast|fail-on|on-error|onError|error-(?:log|handler|page|code)|errors?\.(?:js|ts|py|rb|go|rs|c|h|html|json))\b/,
  /^\s*(?:Compiling|Downloading|Downloaded|Installing|Unpacking|Selecting|Setting up|Get:|Fetched|Hit:|Ign:|Linking|Checking|Cloning|remote:|Receiving|Resolving|added|copying|creating|adding|Preparing|Processing triggers)\b(?!.{0,300}\bfail)/,
  /^\s*(?:ok \d+|✓|✔|√|PASS\b|\[ *OK *\]|--- PASS)|\.\.\. ?(?:ok|passed|yes|done)\s*$|\bPASSED\s*$/i,
  /^\[(?:ERROR|INFO)\] (?:-{5}|-> \[Help|To see the full|Re-run Maven|For more information|\[Help \d\]|After correcting)/,
  /ELIFECYCLE|Exit status \d+/,
  /Consider refactoring|run with `?RUST_BACKTRACE|for more information|--stacktrace option|--info or --debug|Get more help at|full stack trace|full debug logging|complete log of this run|\[Help 1\]$|^\(See full trace/i,
  /^\s*at (?:[\w.$<>/]{1,200}\(|.{1,200}:\d+(?::\d+)?\)?$)|^\s+from \/|^\s*File ".{1,300}", line \d+(?!, char)/,
  /^\s*(?:#(?!\s+(?:Failed test|got:|expected:|\s{3,}))|\/\/)|^\s*\* (?! |checking)|^ {2,}(?:if|fi|then|else|case|esac|for|done|while|echo|local|return|export|function|elif)\b/,
  /\bwarning:|^\s*(?:WARN|WARNING|warning|W):? (?!DATA RACE)|^(?:npm|pnpm|yarn) (?:WARN|warn)\b/,
  /\bretry(?:ing)?\b.{0,60}\b\d+ of \d+|\btrying (?:again|next)\b|\bskipping\b|\|\| true\b|\(ignored\)|\(optional\)|\bwill (?:be )?(?:retry|ignore|skip)/i,
  /\b(?:handles?|throws?|catch(?:es)?|raises?|reports?|returns?|emits?|logs?) (?:an? |the |\w+ )?(?:errors?|exceptions?|failures?)\b.{0,80}(?:ok|passed|✓|\(\d+ ?ms\))?\s*$/i,
];

/** Totals and verdicts: they say that something failed, and neither what nor why. */
export const verdicts: readonly RegExp[] = [
  /\b[1-9]\d* (?:tests?|specs?|examples?|suites?|files?|checks?)\b.{0,20}\bfail/i,
  /\bfailed:? total\b|\btests? (?:unsuccessful|failed)\b|^\W*(?:tests?|suites?|ran|results?|test result|test files|test suites|examples|runs)\b:? .{0,80}\bfail/i,
  /\b(?:build|compilation|execution|script|task|job|command|run|test|goal|tests)s? (?:has |have )?failed\b|\berrored after\b/i,
  /\b(?:exited|failed|finished|ended|completed|returned) with\b.{0,30}\d|\b(?:exit|returned) (?:code|status)\b/i,
  /^FAILED \((?:failures|errors)=/,
  /^FAIL\s*$|^\s*Fail(?:ed tests|ures)[:!]?\s*$/i,
  /^(?:\*\* |=+ )?(?:BUILD|TEST|ARCHIVE) FAILED|^\[?INFO\]? BUILD FAILURE|^FAILURE: Build failed|^Finished: FAILURE/,
  /\b(?:found|with|generated) [1-9]\d* (?:errors?|problems?|failures?|warnings?)\b|^\s*[1-9]\d* errors?(?: found| generated)?\.?$|^one error found|^\W{0,3}[1-9]\d* problems? \(/i,
  /aborting due to (?:previous|\d+)|could not compile `|errors? occurred!$|failing tests\. See the report/i,
];

/** What tools print around any failure whatever. */
export const boilerplate: readonly RegExp[] = [
  /^npm (?:ERR!|error)(?: |$)(?!.{0,300}\b(?:notarget|not found|code E(?!LIFECYCLE)|missing|peer|could not|unable|no such|cannot|invalid|conflict|syntax|unsupported|engine|Found:|ERESOLVE|E[A-Z]{4,12}\b))/i,
  /^error Command failed|^info Visit https/,
  /^(?:store build cache|nothing changed|changes detected|Done\. Your build exited|travis_(?:fold|time):)/,
  /^\s*[-=*_~─━═⎯]{3,}\s*$/,
];
