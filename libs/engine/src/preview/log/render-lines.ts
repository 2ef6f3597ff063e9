/** Characters of a line that are shown; the rest is a read away. */
const longest = 260;

export const clipLine = (line: string): string =>
  line.length <= longest
    ? line
    : `${line.slice(0, longest - 20).toWellFormed()} [... ${line.length - longest + 20} more characters]`;

/** Chosen lines in file order; each gap is marked with the numbers of the lines that are not shown. */
export function renderLines(
  lines: readonly string[],
  chosen: ReadonlySet<number>,
): { text: string; readNext: { from: number; to: number } | null } {
  const shown = [...chosen].sort((a, b) => a - b);
  const parts: string[] = [];
  let next = 0;
  for (const i of shown) {
    if (hasText(lines, next, i)) parts.push(gap(next, i - 1));
    parts.push(clipLine(lines[i]!));
    next = i + 1;
  }
  if (hasText(lines, next, lines.length)) parts.push(gap(next, lines.length - 1));
  const first = shown[0];
  const readNext =
    first === undefined ? null : { from: Math.max(1, first - 19), to: Math.min(lines.length, first + 41) };
  return { text: parts.join('\n'), readNext };
}

/** Blank lines between two that are shown are no gap. */
const hasText = (lines: readonly string[], from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (lines[i]!.trim() !== '') return true;
  return false;
};

const gap = (from: number, to: number): string =>
  from === to ? `--- line ${from + 1} not shown ---` : `--- lines ${from + 1}-${to + 1} not shown ---`;
