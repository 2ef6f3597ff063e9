/** How a line ends that says how a command ended: `Exit code: 1`, `[Command finished with exit code 0]`. */
const statement =
  /\b(?:exit(?:ed)?|return(?:ed)?)[\s_-]*(?:with\s)?(?:an?\s)?(?:non-?zero\s)?(?:exit\s)?(?:code|status)\b\W{0,4}?(-?\d{1,10})\W*(?:\w+>\W*)?$/i;
/** A line with more words before it says something else, unless it begins as an error. */
const maxWordsBefore = 5;
const beginsAsError = /^\W*(?:error|fatal|failed)\b/i;
const maxLine = 200;
/** Lines at either end among which programs state it. */
const linesAtEnd = 3;

export const isExitLine = (line: string): boolean => codeOf(line) !== null;

/** The exit code that a result states, which programs write before or after what a command printed. */
export function exitCodeIn(text: string): number | null {
  const head = text.slice(0, 400).trimStart().split('\n').slice(0, linesAtEnd);
  const tail = text.slice(-400).trimEnd().split('\n').slice(-linesAtEnd).reverse();
  for (const line of [head[0]!, ...tail, ...head]) {
    const code = codeOf(line);
    if (code !== null) return code;
  }
  return null;
}

function codeOf(line: string): number | null {
  const found = line.length > maxLine ? null : statement.exec(line.trim());
  const before = found ? (line.trim().slice(0, found.index).match(/\w+/g)?.length ?? 0) : 0;
  return found && (before <= maxWordsBefore || beginsAsError.test(line)) ? Number(found[1]) : null;
}
