import { clipLine } from './clip-line.js';

/** So many of one kind are worth a word in the mark of a gap. */
const manyAlike = 5;

/**
 * Chosen lines in file order; each gap is marked with the numbers of the lines that are not shown, and with how many
 * of them repeat what stands above (`shapes`: what the lines look like that speak of a failure, by line).
 */
export function renderLines(
  lines: readonly string[],
  chosen: ReadonlySet<number>,
  shapes: ReadonlyMap<number, string> = new Map(),
): { text: string; readNext: { from: number; to: number } | null } {
  const shown = [...chosen].sort((a, b) => a - b);
  const shaped = [...shapes];
  const parts: string[] = [];
  let above = new Set<string>();
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

const gap = (from: number, to: number, alike: number): string =>
  from === to
    ? `--- line ${from + 1} not shown ---`
    : `--- lines ${from + 1}-${to + 1} not shown${alike >= manyAlike ? `, ${alike} of them like those above` : ''} ---`;
