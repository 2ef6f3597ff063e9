import { rule, type FailureRule } from './rule.js';

/** Compilers, linkers, build systems and linters: mostly a file, a place in it and what is wrong there. */
export const compilerRules: readonly FailureRule[] = [
  // gcc, clang, swiftc, javac, mypy, ghc: file:line:column: error.
  rule(10, /:\d+(?::\d+)?:? (?:fatal )?[Ee]rror\b/),
  // tsc, csc, msbuild: file(line,column): error.
  rule(10, /\(\d+(?:,\d+){0,3}\) ?: (?:fatal )?error\b|- error TS\d+/),
  rule(9, /^\s*(?:fatal )?error(?:\[\w+\]| [A-Z]{1,6}\d+| [a-z][\w-]{1,60})?: \S/i),
  // eslint and stylelint: line:column, level, message.
  rule(9, /^\s*\d+:\d+\s+(?:error\b|✖|✕|×)/),
  // kotlinc.
  rule(9, /^e: \S/),
  // javac as maven prints it: file:[line,column].
  rule(9, /\.\w{1,8}:\[\d+(?:,\d+)?\]/),
  // flake8, rubocop, go, checkstyle, php: file:line and anything.
  rule(6, /^\s{0,8}[\w./\\@+-]{1,200}\.\w{1,8}:\d+(?::\d+)?:? (?!warning|note|in |info|debug|\d|\|)\S/),
  rule(9, /^\s*[\w./\\@+-]{1,200}\.\w{1,8}:\d+:\d+: [A-Z]{1,4}\d{0,5}\b/),
  rule(7, /^\s*File ".{1,300}", line \d+, characters \d/),
  rule(8, /\b(?:SC|CS|TS|MSB|NU|BC|FS|E)\d{3,5}\b: /),
  // Linkers.
  rule(
    9,
    /\b(?:undefined reference|undefined symbol|multiple definition|cannot find -l|duplicate symbol)\b/i,
  ),
  rule(9, /^Undefined symbols\b|symbol\(s\) not found|^\s+".{1,200}", referenced from:/),
  rule(6, /^\s*ld(?:\.\w+)?: |collect2: error|LNK\d{4}/),
  rule(9, /\b(?:redeclared|redefinition|redefined)\b/i),
  // What a compiler says of a name or a type.
  rule(
    8,
    /\b(?:is unbound|[Uu]nbound (?:value|module|constructor)|is not a member|has no member|was not declared|not declared|cannot find symbol|not in scope|is not defined)\b/,
  ),
  rule(
    8,
    /\b(?:[Uu]nknown (?:value|type|module|import)|[Uu]nresolved reference|[Uu]ndefined (?:variable|function|method|control sequence|identifier)|undefined: \w)/,
  ),
  rule(8, /\bundefined in\b|\bfunction \S+\/\d+ undefined|\bis undefined\b/),
  rule(
    8,
    /\b(?:type mismatch|mismatched types|incompatible types|[Cc]ouldn't match|does not conform|type error)\b/,
  ),
  rule(6, /\b(?:missing return|declared (?:and|but) not used|imported and not used|never used)\b/),
  rule(8, /\b(?:syntax error|parse error|Unexpected token|unterminated|unbalanced)\b/i),
  // Build systems.
  rule(10, /^CMake Error\b|^configure: error: /),
  rule(
    9,
    /\b(?:No rule to make target|No Rakefile found|no such (?:option|command|target|task)|missing separator)\b/i,
  ),
  rule(6, /^\s*(?:===> )?Compiling \S{1,200} failed/),
  // LaTeX.
  rule(9, /^! (?! ?==>)\S/),
  rule(6, /^l\.\d+ /),
  // Formatters and size limits.
  rule(
    8,
    /^would reformat \S|^Oh no! |\b(?:forgot to run|style issues? found|not formatted|needs formatting)\b/i,
  ),
  rule(5, /^\[warn\] \S{1,200}\.\w{1,8}$/),
  rule(7, /\b(?:violations?|broken links?|misspelled|undocumented)\b/i),
  rule(
    8,
    /\b(?:size limit has exceeded|does not meet (?:global )?threshold|exceeds the (?:limit|maximum|budget))\b/i,
  ),
  rule(7, /^\s*\S{1,200}: line \d+: (?!warning)\S/i),
  rule(7, /^In \S{1,200} line \d+:$/),
  rule(5, /^diff --git |^(?:---|\+\+\+) [ab]\//),
];
