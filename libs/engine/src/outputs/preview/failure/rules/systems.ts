import { rule, type FailureRule } from './rule.js';

/** Files, networks, packages, shells, containers, clouds. */
export const systemRules: readonly FailureRule[] = [
  rule(8, /\bfatal: \S|^FATAL\b|^\S{1,40}: fatal\b/i),
  rule(
    8,
    /\bNo such file or directory\b|\bcommand not found\b|\bPermission denied\b|\bis (?:currently )?not installed\b|: not found$/i,
  ),
  rule(
    8,
    /\b(?:cannot|can't|can not|could ?n[o']t|couldn't|unable to|failed to|failure to|not able to) (?:find|resolve|open|load|locate|import|connect|establish|access|create|read|write|be|build|checkout|download|fetch|execute|parse|start|install|run|compile|solve|get|set|bind|patch|correct|satisfy|determine|initialize|verify|push|pull|clone|process|generate|complete|update|allocate|use|exec|stat|move|remove|delete|copy|index)\b/i,
  ),
  rule(
    9,
    /\b(?:Module not found|Cannot find module|No module named|Could not resolve|unresolved import|No matching (?:version|distribution)|no matching package|ERESOLVE|ETARGET|E404|ENOENT|ENOSPC|EADDRINUSE|ECONN\w{3,8}|ETIMEDOUT|EACCES|EPERM|ENOTFOUND|EINTEGRITY|EBADENGINE|ERR_[A-Z]{2,12}_\w{2,60})\b/,
  ),
  rule(
    8,
    /\b(?:could not be (?:resolved|found|loaded|opened)|unmet dependenc|version conflict|incompatible with|incompatible (?:module|version)|(?:dependency|merge) conflict|requested package|requested URL|compatible versions? for|most trouble fulfilling)\b/i,
  ),
  rule(7, /^\[__\d+\] |^\s*Problem \d+|^\s+- .{1,200} (?:requires|conflicts with) /),
  rule(
    7,
    /\b(?:unmet peer|peer \S{1,100} from|requires? .{1,80} but|depends on .{1,80} but|but .{1,60} is to be installed|which depends on)\b/i,
  ),
  rule(
    8,
    /\b(?:unknown (?:option|switch|flag|command|argument|revision|property)|illegal (?:option|switch|character)|unrecognized (?:option|argument)|invalid (?:argument|option|reference|syntax|value|configuration)|missing (?:required|argument|operand)|unsupported (?:argument|option|engine|class file)|too many arguments|bad substitution|unbound variable)\b/i,
  ),
  rule(
    7,
    /\b(?:4\d\d|5\d\d):? (?:Not Found|Forbidden|Unauthorized|Internal Server Error|Bad Gateway|Service Unavailable|Too Many Requests|No error)\b|\bHTTP\/\d(?:\.\d)?\"? [45]\d\d\b|\b(?:HTTP|status|returned error|code)\b(?!\/)[^\d\n]{0,20}\b[45]\d\d\b|Empty reply from server|Connection (?:refused|reset|timed out)|HTTP connection/i,
  ),
  rule(
    8,
    /\b(?:timed out|timeout exceeded|has been terminated|No output has been received|exceeded the (?:maximum|limit)|deadline exceeded|build stalled|rate limit)\b/i,
  ),
  rule(
    8,
    /\b(?:conflict|checksum|hash|signature|version|digest) (?:mismatch|does not match|in \S)|\bCONFLICT \(/i,
  ),
  rule(
    7,
    /\b(?:does not (?:match|exist|support|satisfy|appear)|doesn't (?:match|exist|support)|did not (?:find|match|succeed|complete)|is missing|are missing|missing (?:expected|dependency)|not in order|appears to be|wrong version|no longer (?:supported|available|exists)|not (?:a valid|available|supported|recognized|allowed|permitted|found)|is not (?:a|valid|available|supported|recognized|allowed)|may not be empty|is required|not supplied|not up[- ]to[- ]date|out[- ]of[- ]date|already (?:exists|in use)|is immutable|needs to be updated)\b/i,
  ),
  rule(
    7,
    /\bmanifest (?:unknown|for)\b|\bdenied: |\bunauthorized\b|\baccess denied\b|\bauthentication (?:failed|required)/i,
  ),
  rule(6, /\b(?:held broken packages|unable to correct)\b|^E: /i),
  rule(8, /^│? ?Error: |^\[!\] \S|^\s?ERR_PNPM_\w|^error \S+@|^error (?!Command failed|An unexpected)[A-Z]/),
  rule(6, /^│\s+on \S+ line \d+|^│ \s*\d+: /),
  rule(6, /"msg": "|FAILED! =>|\bUPGRADE FAILED\b/),
  rule(
    9,
    /\bunsafe repository\b|\breference is not a tree\b|\bnot a git repository\b|\bdoes not look like a\b/i,
  ),
  rule(6, /\bException\b.{0,40}\bwhile\b|\bsomething went wrong\b/i),
];
