import { clipHead } from '../../tokens/clip.js';
import type { CountTokens } from '../../tokens/counter.js';

export interface HeadTail {
  head: string[];
  tail: string[];
  /** Lines between them. */
  omittedLines: number;
  /** A line was too long to be shown whole. */
  clipped: boolean;
}

/** The lines of a text; a final newline does not start another one. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '' && lines.length > 1) lines.pop();
  return lines;
}

/**
 * First and last lines within `tokens` (promptdojo: first 5 + last 5). When they do not fit, each gets an even
 * share of the space and is clipped to it.
 */
export function headTail(
  text: string,
  sizes: { head: number; tail: number; tokens: number },
  count: CountTokens,
): HeadTail {
  const lines = linesOf(text);
  const headLines = lines.slice(0, sizes.head);
  const tailLines = lines.slice(Math.max(headLines.length, lines.length - sizes.tail));
  const shown = headLines.length + tailLines.length;
  // A line longer than this is clipped even when its tokens would fit: one base64 blob is not worth a preview.
  const share = Math.floor(sizes.tokens / Math.max(1, shown));
  const fits = count([...headLines, ...tailLines].join('\n').slice(0, sizes.tokens * 64)) <= sizes.tokens;
  let clipped = false;
  const clip = (line: string): string => {
    if (fits) return line;
    const part = clipHead(line, Math.max(1, share - 8), count);
    if (part.length < line.length) clipped = true;
    return part.length < line.length ? `${part} [... ${line.length - part.length} more characters]` : part;
  };
  return {
    head: headLines.map(clip),
    tail: tailLines.map(clip),
    omittedLines: lines.length - shown,
    clipped,
  };
}
