import { afterWholeCharacter, startOf } from '../../../tokens/whole-characters.js';
import { failureAt } from '../failure/failure-rules.js';
import { matchedLength } from './clean-line.js';

/** Tokens that the mark of a gap takes. */
export const gapTokens = 11;
/** So many of one kind are worth a word in the mark of a gap. */
const manyAlike = 5;

/**
 * Chosen lines in file order; each gap is marked with the numbers of the lines that are not shown, and with how many
 * of them repeat what stands above (`shapes`: those of the lines that are worth anything, by line).
 */
export function renderLines(
  lines: readonly string[],
  chosen: ReadonlySet<number>,
  shapes: ReadonlyMap<number, number> = new Map(),
): string {
  const shown = [...chosen].sort((a, b) => a - b);
  const shaped = [...shapes];
  const parts: string[] = [];
  let above = new Set<number>();
  let at = 0;
  let next = 0;
  const gapBefore = (i: number): void => {
    if (!hasText(lines, next, i)) return;
    let alike = 0;
    for (; at < shaped.length && shaped[at]![0] < i; at++) {
      const [line, shape] = shaped[at]!;
      if (line >= next && above.has(shape)) alike++;
    }
    parts.push(gap(next, i - 1, alike));
    above = new Set();
  };
  for (const i of shown) {
    gapBefore(i);
    parts.push(clipLine(lines[i]!));
    const shape = shapes.get(i);
    if (shape !== undefined) above.add(shape);
    next = i + 1;
  }
  gapBefore(lines.length);
  return parts.join('\n');
}

/** The lines to read next, from 1, of a text with so many: those around a line (from 0), more of them after it. */
export const linesAround = (line: number, lines: number): { from: number; to: number } => ({
  from: Math.max(1, line - 19),
  to: Math.min(lines, line + 41),
});

/** Blank lines between two that are shown are no gap. */
const hasText = (lines: readonly string[], from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (lines[i]!.trim() !== '') return true;
  return false;
};

const gap = (from: number, to: number, alike: number): string =>
  from === to
    ? `--- line ${from + 1} not shown ---`
    : `--- lines ${from + 1}-${to + 1} not shown${alike >= manyAlike ? `, ${alike} of them like those above` : ''} ---`;

/** Characters of a line that are shown; the rest is a read away. */
const longest = 260;
/** Of a line whose failure stands further on: characters from its start, and from around the failure. */
const start = 170;
const around = 130;
const before = 30;
/** Characters that the mark of a cut line takes of its start. */
const markLength = 20;

/** Is only a part of the line shown? */
export const isClipped = (line: string): boolean => line.length > longest;

/** A line as it is shown: a long one is cut to its start and to where it speaks of a failure, and says how much is cut. */
export function clipLine(line: string): string {
  if (line.length <= longest) return line;
  const focus = failureFocus(line);
  if (focus < longest - before) {
    const shown = startOf(line, longest - markLength);
    return shown + cut(line.length - shown.length);
  }
  const head = startOf(line, start);
  const from = afterWholeCharacter(line, Math.max(start, focus - before));
  const middle = startOf(line.slice(from), around);
  const rest = line.length - from - middle.length;
  return `${head}${from > head.length ? cut(from - head.length) : ''} ${middle}${rest > 0 ? cut(rest) : ''}`;
}

const cut = (characters: number): string => ` [... ${characters} more characters]`;

/** Where a long line speaks of a failure, as far as its start and its end are looked at. */
function failureFocus(line: string): number {
  const inHead = failureAt(line.slice(0, matchedLength));
  const from = Math.max(matchedLength, line.length - matchedLength);
  const inTail = failureAt(line.slice(from));
  if (inTail.index >= 0 && inTail.weight > inHead.weight) return from + inTail.index;
  return Math.max(0, inHead.index);
}
