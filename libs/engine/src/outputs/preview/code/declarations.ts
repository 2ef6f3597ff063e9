import { linesOf } from '../lines/read-lines.js';

export interface Declaration {
  line: number;
  /** Columns of indent, which tells what is in what. */
  indent: number;
  text: string;
}

/** How declarations of the common languages start. Bounded: only a line's start is matched. */
const forms: readonly RegExp[] = [
  // TypeScript, JavaScript
  /^(export\s+)?(default\s+)?(declare\s+)?(abstract\s+)?(async\s+)?(function\*?|class|interface|enum|namespace|type)\s+[\w$]+/,
  /^(export\s+)?(const|let|var)\s+[\w$]+\s*(:[^=]{1,120})?=\s*(async\s*)?(\([^)]{0,200}\)|[\w$]+)\s*(:[^=]{1,80})?=>/,
  /^(export\s+)(const|let|var)\s+[\w$]+/,
  /^((public|private|protected|static|readonly|abstract|override|async|get|set)\s+){1,5}#?[\w$]+\s*[(<:=?]/,
  /^(constructor|async [\w$]+|[\w$#]+)\s*(<[^>]{0,80}>)?\([^;]{0,200}\)\s*(:[^{;]{1,120})?\{\s*$/,
  // Python, Ruby, Elixir, Scala, Kotlin, Swift
  /^(async\s+)?(def|class|module|defmodule|defp|object|trait|protocol|extension|fun|func|init|data class|sealed class|case class)\b[\s(]/,
  // Rust, Go, C#, Java, PHP
  /^(pub(\([\w: ]+\))?\s+)?(async\s+|unsafe\s+|const\s+|extern\s+"\w+"\s+)*(fn|struct|enum|trait|impl|mod|union|macro_rules!|type)\b/,
  /^func\s*(\([^)]{1,80}\)\s*)?\w+\(|^type\s+\w+\s+(struct|interface|func)/,
  /^(public|private|protected|internal|static|final|sealed|abstract|virtual|override|partial|\s)+(class|interface|enum|record|struct|void|[\w<>[\],.?]{1,60})\s+\w+\s*[({<]/,
  /^(abstract\s+|final\s+)?(class|interface|trait|function|namespace)\s+[\w\\]+/,
  // C, C++: a definition starts in the first column and ends in a parameter list
  /^[A-Za-z_][\w\s*&:<>,~]{2,100}\([^;]{0,200}\)\s*(const)?\s*\{?\s*$/,
  /^(typedef\s+)?(struct|union|enum|class|template)\b/,
  /^#define\s+\w+/,
  // SQL, shell
  /^create\s+(or\s+replace\s+)?(unique\s+)?(table|view|index|function|procedure|trigger|type)\b/i,
  /^(function\s+)?[\w-]+\s*\(\)\s*\{/,
];

const otherStatements =
  /^(if|for|while|switch|catch|return|else|do|try|await|throw|new|case|elif|except|with|unless|when|match|foreach|using|lock|print|assert|import|from|require|describe|it|test|expect)\b/;

/** Line numbers that read tools put before each line: `  12\t`, `12: `, `12→`. */
const numbered = /^\s{0,7}\d{1,7}(?:\t|→|: ?|\| ?)/;

/** Declarations in a text, in order, whatever its language. */
export function declarationsIn(text: string): Declaration[] {
  const found: Declaration[] = [];
  const lines = linesOf(text);
  const isNumbered =
    lines.length > 2 && lines.slice(0, 20).every((line) => line === '' || numbered.test(line));
  lines.forEach((whole, i) => {
    const line = (isNumbered ? whole.replace(numbered, '') : whole).slice(0, 400).trimEnd();
    const text = line.trimStart();
    if (text.length < 4 || otherStatements.test(text)) return;
    const indent = line.length - text.length;
    if (indent > 24 || !forms.some((form) => form.test(text))) return;
    found.push({ line: i + 1, indent, text: text.replace(/\s*[{:]\s*$/, '') });
  });
  return found;
}
