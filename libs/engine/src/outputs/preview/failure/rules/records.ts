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
