import { rule, type FailureRule } from './rule.js';

/** Exceptions of languages and crashes of processes. */
export const exceptionRules: readonly FailureRule[] = [
  rule(9, /(?:\b|_)[A-Z]\w{0,60}(?:Error|Exception|Failure|Fault|Exit)\b(?: \[\w+\])?\s*(?:[:(]|$)/),
  rule(9, /\((?:[A-Z]\w{0,60}::)?[A-Z]\w{0,60}(?:Error|Exception)\)\s*$/),
  rule(9, /^\s*(?:Uncaught|Unhandled|Caused by:|panic:|PANIC)\b|^Exception in thread\b/),
  rule(10, /\bpanicked at\b/),
  rule(10, /^PHP (?:Fatal|Parse) error|^(?:Fatal|Parse|Catchable fatal) error: /),
  rule(9, /^\s*\*\* \(\w+/),
  rule(9, /Debugger entered--Lisp error|^\s*signal\(error/),
  rule(9, /^(?:lua|luajit|perl|python3?|ruby|node|bash|sh|awk|sed|java): \S.{0,300}:/),
  rule(7, /\bat \S{1,200} line \d+\.?$/),
  rule(5, /^Traceback \(most recent call last\)/),
  rule(
    9,
    /\b(?:segmentation fault|core dumped|bus error|stack overflow|access violation|illegal instruction|double free|heap corruption)\b/i,
  ),
  rule(
    9,
    /\b(?:out of memory|OOMKilled|heap limit|Cannot allocate memory|No space left on device|disk quota exceeded)\b|^Killed$/i,
  ),
  rule(8, /^\s*(?:rake|bundler|cargo|gulp|grunt)\b.{0,40}\baborted/i),
  rule(
    8,
    /\b(?:badmatch|badarg|badarith|function_clause|case_clause|undef|noproc|timeout_value),|^Reason: |\{error, ?\{?\w/,
  ),
  rule(7, /^\*{2,4} (?:Error|FAILED|Reason|CRASH)|\bcrash(?:ed)? (?:reason|report)\b/i),
  rule(7, /^Error in \S|^Execution halted/),
  rule(
    8,
    /\bundefined method\b|\b(?:is not a function|is not (?:iterable|callable|subscriptable|a constructor)|of (?:undefined|null|nil)\b|NoneType|nil value|null pointer)/,
  ),
  rule(7, /^\s*throw new \w/),
];
