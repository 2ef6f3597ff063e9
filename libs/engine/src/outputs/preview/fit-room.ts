import { clipHead } from '../../tokens/clip.js';
import type { CountTokens } from '../../tokens/counter.js';

/** The levels of detail that are tried: 1 is everything that a kind shows, 0 the minimum. */
const details = [1, 0.7, 0.5, 0.35, 0.2, 0.1, 0];
/** No encoding makes one token of more characters than these, save for long runs of one of them. */
const maxCharacters = 40;
const mark = '\n[... clipped]';

/**
 * The fullest text that fits: `make` is asked for less and less, from detail 1 down to 0. What does not even fit at 0
 * is clipped, and says so where there is room for that.
 */
export function fitRoom(make: (detail: number) => string, tokens: number, count: CountTokens): string {
  for (const detail of details) {
    const text = make(detail);
    if (text.length <= tokens * maxCharacters && count(text) <= tokens) return text;
  }
  const least = make(0).slice(0, tokens * maxCharacters);
  // Counts of two pieces may differ by one from that of both.
  const left = tokens - count(mark) - 1;
  return left > 0 ? `${clipHead(least, left, count)}${mark}` : clipHead(least, tokens, count);
}

/** At least `min` and at most `max` of something, by detail. */
export const scaled = (detail: number, max: number, min = 0): number =>
  Math.max(min, Math.round(max * detail));
