import type { ReadLines } from '../lines/read-lines.js';
import { clipLine, isClipped, linesAround, renderLines } from '../lines/render-lines.js';
import type { MakePreview } from '../preview.js';
import { scoreLines } from './score-lines.js';
import { selectLines } from './select-lines.js';

/** A line that is worth so much states a cause by itself. */
const statesCause = 6;
const prefixCut = '--- times and names at the start of lines not shown ---';
const unwrapped = '--- JSON lines, of which this is what each says ---';

/**
 * The preview of a build, test or CI log: the lines that say why it failed, with what stands around them, from
 * anywhere in the file. A log without failure shows its start, its end and what is odd in it. Times and names before
 * lines are given up when lines that state a cause do not fit beside them.
 */
export const previewLog: MakePreview = ({ lines: read, kind }, whole, count) => {
  const heads = read.isUnwrapped ? [unwrapped] : [];
  const left = (notes: readonly string[]): typeof whole => ({
    ...whole,
    tokens: whole.tokens - (notes.length > 0 ? count(`${notes.join('\n')}\n`) : 0),
  });
  const scored = scoreLines(read);
  const { scores, shapes } = scored;
  const made = (lines: readonly string[], notes: readonly string[]) => {
    const { chosen, first } = selectLines(lines, scored, left(notes), count);
    const text = renderLines(lines, chosen, shapes);
    const readNext = first < 0 ? null : linesAround(first, lines.length);
    return { chosen, preview: { kind, text: [...notes, text].join('\n'), readNext } };
  };
  const { chosen, preview } = made(fitted(read), heads);
  const isComplete = scores.every((score, i) => score < statesCause || chosen.has(i));
  if (isComplete || [...chosen].every((i) => read.bare[i] === read.shown[i])) return preview;
  return made(read.bare, [...heads, prefixCut]).preview;
};

/** Where a line is cut, so much before its words takes their room. */
const longPrefix = 40;

/** Lines as they are shown: one that would be cut gives up what stands before its words, where that is long. */
const fitted = ({ bare, shown }: ReadLines): readonly string[] =>
  shown.map((line, i) =>
    isClipped(line) && line.length - bare[i]!.length >= longPrefix ? `[...] ${bare[i]!}` : line,
  );

const maxEntries = 200;
/** What a line must be worth to be an entry of its own. */
const entryWorth = 5;

/** Lines of a log that say that something failed, in file order. */
export function logOutline(read: ReadLines): { line: number; depth: number; label: string }[] {
  const { weights, scores } = scoreLines(read);
  return read.shown
    .map((_, i) => i)
    .filter((i) => weights[i]! >= entryWorth)
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, maxEntries)
    .sort((a, b) => a - b)
    .map((i) => ({ line: i + 1, depth: 0, label: clipLine(read.shown[i]!.trim()) }));
}
