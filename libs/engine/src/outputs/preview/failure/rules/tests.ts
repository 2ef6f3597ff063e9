import { rule, type FailureRule } from './rule.js';

/** Test runners: which test failed, and what it got in place of what it wanted. */
export const testRules: readonly FailureRule[] = [
  rule(10, /^\s*(?:--- )?FAIL(?:ED|URE)?(?::| in| →|\b) ?\(?\S*\w/),
  rule(10, /(?:^|\s)(?:\*\*\* ?)?FAILED(?:\s*\*\*\*)?\s*$|\bFAILED\b\s*[-(<[!]|<<< (?:FAILURE|ERROR)!/),
  rule(10, /\*\*\*(?:Failed|Timeout|Exception|Not Run)\b/),
  rule(10, /^\s*(?:FAILED|ERROR) \S+\.\w{1,5}(?:::\S+)?(?: - |$)/),
  rule(10, /^\s*not ok \d+(?!.{0,300}# (?:TODO|SKIP))/i),
  rule(9, /^\s*[✗✕✖✘×●◼☓]\s+\S/),
  rule(9, /^\s*\[-\] \S|\(X\) \S|^\s*\(?\[?FAIL\]?\)?\s*[:-]? \S/),
  rule(9, /^#\s+Failed test\b|^\s*\[ {2}FAILED {2}\] \S+\.\S/),
  rule(9, /^\s*Failure → |^\s*(?:\d+\. )?Failure: \S/),
  rule(7, /^\s*(?:\d+\) )?(?:Failure|Error|Failed|FAILURE|ERROR):?\s*$/),
  rule(6, /^\s*(?:Failure|Error)\/Error: |^\s*Failure\/Error/),
  rule(7, /^\s*\d+\) (?:test |Failed : |\S+(?:::|#)\S)/),
  rule(5, /^\s*\d+\) \S/),
  rule(6, /^_{5,} .{1,200} _{5,}$/),
  rule(9, /^E {2,}\S/),
  rule(7, /^%%% \S+ ==> /),
  rule(
    9,
    /\b[Aa]ssert(?:ion)?(?:Error| failed| failure| with)?\b.{0,30}(?:[:!]|failed)|\bAssertion\w{0,20} failed/i,
  ),
  rule(9, /^\s*Failed asserting\b|\bXCTAssert\w{1,40} failed/),
  rule(9, /\bWARNING: DATA RACE\b|\brace detected\b|ERROR: AddressSanitizer|runtime error: /),
  rule(
    8,
    /^expected\b.{0,200}(?:\b(?:to|but|got|was|received|actual|not)\b|==|=>|:$)|\bexpected:? ?<.{0,200}> but was/i,
  ),
  rule(
    7,
    /\b(?:expected|expecting)\b.{0,200}\b(?:to (?:be|equal|match|have|include|throw|eq|deeply)|but (?:got|was|received|found)|got|was|received|found|saw|actual)\b/i,
  ),
  rule(7, /\bgot:? .{1,160}\bwant(?:ed)?\b|\bwant(?:ed)?:? .{1,160}\bgot\b/),
  rule(
    6,
    /^\s*#?\s*[-+]?\s*(?:expected|actual|received|got|want|left|right|but was|but got|found|required)\s*[:=]/i,
  ),
  rule(6, /^\s*(?:expected|actual|but got|but was)\b/i),
  rule(
    8,
    /\bwas not (?:equal|greater|less|true|false|null|the same)|\bdid(?: not|n't) (?:match|equal|throw|raise)|\b(?:is )?not (?:equal to|raised)\b|\bshould (?:be|have|not) (?:equal|been)\b/i,
  ),
  rule(6, /\bfailed (?:on line|at) /i),
  rule(6, /^\s*(?:❯|-->) \S{1,300}:\d+(?::\d+)?$/),
  rule(6, /^Test Case '.{1,200}' failed|\b(?:test|spec|suite)\b.{0,60} failed\b/i),
  rule(3.5, /\b[1-9]\d* (?:tests? )?(?:failed|failures?|failing|errors?)\b/i),
  rule(7, /^(?:-|\d+\.|\*|\s)*\[?L?\d*\]? ?(?:4\d\d|5\d\d) https?:\/\//),
  rule(6, /^\W{0,6}Issues? :-?\(/i),
];
