import { clipHead } from '../../tokens/clip.js';
import type { CountTokens } from '../../tokens/counter.js';

/**
 * The fullest text that fits: `make` is asked for less and less, from detail 1 down to 0. What does not even fit at 0
 * is clipped, and says so.
 */
export function fitRoom(make: (detail: number) => string, tokens: number, count: CountTokens): string {
  for (const detail of [1, 0.7, 0.5, 0.35, 0.2, 0.1, 0]) {
    const text = make(detail);
    // No encoding makes one token of more than this many characters, save for long runs of one of them.
    if (text.length <= tokens * 40 && count(text) <= tokens) return text;
  }
  const mark = '\n[... clipped]';
  return `${clipHead(make(0).slice(0, tokens * 40), Math.max(1, tokens - 8), count)}${mark}`;
}

/** At least `least` and at most `most` of something, by detail. */
export const scaled = (detail: number, most: number, least = 0): number =>
  Math.max(least, Math.round(most * detail));

/** A text on one line, cut at `most` characters with a mark. */
export function oneLine(text: string, most: number): string {
  const flat = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length <= most && text.length <= most * 4 ? flat : `${flat.slice(0, most).toWellFormed()}…`;
}

export const plural = (n: number, noun: string, nouns = `${noun}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? noun : nouns}`;
