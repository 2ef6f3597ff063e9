import { PatternSet } from '../pattern-set.js';
import { rule, type FailureRule } from './rule.js';

/** What records say: rows of tables, documents of JSON, lines of key and value, states of services. */
export const recordRules: readonly FailureRule[] = [
  rule(
    8,
    /\b(?:level|lvl|severity|loglevel)["']?\s?[=:]\s?["']?(?:error|err|fatal|critical|crit|severe|panic|alert|emerg)/i,
  ),
  rule(
    8,
    /\b(?:status|state|result|outcome|conclusion|phase|verdict)["']?\s?[=:]\s?["']?(?:fail|error|crash|reject|timed?.?out|abort|degraded|unhealthy|broken|denied|unreachable|lost|corrupt)/i,
  ),
  rule(8, /\b(?:exit[_ -]?(?:code|status)|return[_ -]?code|rc)["']?\s?[=:]\s?["']?[1-9-]/i),
  rule(7, /\b(?:ok|success|passed|healthy|ready|available|valid)["']?\s?[=:]\s?["']?false\b/i),
  rule(
    7,
    /\b(?:error|err|exception|failure|stderr|fault)\w{0,10}["']?\s?[=:]\s?["']?(?!null|none|false|0\b|\[\]|""|''|nil|\{\})[^\s"',}]/i,
  ),
  rule(
    8,
    /\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|CreateContainer(?:Config)?Error|OOMKilled|Evicted|BackOff|FailedScheduling|FailedMount|NotReady|Unhealthy)\b|\bExited \([1-9]\d{0,2}\)/,
  ),
  rule(8, /[❌✗✘⛔🔴💥🚨❗]/u),
  rule(
    8,
    /^(?:[<>=|]{7})(?: \S|$)|^(?:UU|AA|DD|AU|UA|DU|UD) \S|\bUNMET (?:PEER |OPTIONAL )?DEPENDENCY\b|\bmerge conflict\b/,
  ),
  rule(
    7,
    /(?:^|[\s|,;"'])(?:failed|FAILED|failure|FAILURE|error|ERROR|rejected|crashed|aborted|timed?[ _-]?out)(?:$|[|,;"'])/,
  ),
  rule(7, /[[(]error [a-z ]{3,30}[\])]/i),
];

/** Words that say little where many lines have them, and much where one has. Parts of names are no words: `error-handler`. */
const hints = new PatternSet([
  /(?<![\w/-])(?:errors?|err|fail(?:s|ed|ing|ures?)?|fatal|exceptions?|panic(?:ked|s)?|crash(?:es|ed|ing)?|abort(?:s|ed|ing)?|kill(?:s|ed)?)(?![\w/-])/i,
  /(?<![\w/-])(?:refus(?:es|ed)|reject(?:s|ed|ion)?|den(?:y|ied|ies)|forbidden|unauthori[sz]ed|unreachable|unavailable|unhealthy|degraded|declined)(?![\w/-])/i,
  /(?<![\w/-])(?:corrupt(?:ed|ion)?|broken?|lost|missing|mismatch(?:ed)?|differs?|invalid|illegal|unexpected|unknown|unresolved|undefined|unable|cannot)(?![\w/-])/i,
  /(?<![\w/-])(?:deadlock(?:ed)?|overflow(?:ed|s)?|time[ds]?[ _-]?out|exceed(?:s|ed)|exhausted|conflict(?:s|ed|ing)?|violat(?:es|ed|ions?)|dropped|leak(?:ed|s)?)(?![\w/-])/i,
  /(?<![\w/-])(?:stuck|silent|stale|dead|gave up|giving up|read-only|severe|critical|alert|emergency|segfault|oom|oops|bad|wrong|poison(?:ed)?|fault(?:s|ed|y)?)(?![\w/-])/i,
  /(?<![\w/-])(?:halt(?:ed|s)?|evicted|throttled|rolled? ?back|reset by peer|not (?:found|ready|responding|allowed|permitted|reachable|ok)|no (?:route|space|such)|is full)(?![\w/-])/i,
  /\bexit(?:ed)? (?:with )?(?:code |status )?[1-9]\d{0,2}\b|\b(?:can|could|wo|did|does|is|was)n['’]t\b|\bcan['’]t\b/i,
  /[a-z](?:Error|Exception|Failure)\b|#(?:REF|N\/A|VALUE|DIV\/0|NAME|NULL|NUM)[!?]?/,
]);

/** Does a line hint at a failure? */
export const hasHint = (line: string): boolean => hints.first(line) >= 0;
