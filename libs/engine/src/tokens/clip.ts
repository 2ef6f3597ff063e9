import type { CountTokens } from './counter.js';
import { afterWholeCharacter, startOf } from './whole-characters.js';

/** Roughly the longest prefix of `text` within `tokens`. Never splits a character. */
export function clipHead(text: string, tokens: number, count: CountTokens): string {
  return clip(text, tokens, count, (length) => startOf(text, length));
}

/** Roughly the longest suffix of `text` within `tokens`. Never splits a character. */
export function clipTail(text: string, tokens: number, count: CountTokens): string {
  return clip(text, tokens, count, (length) => text.slice(afterWholeCharacter(text, text.length - length)));
}

function clip(text: string, tokens: number, count: CountTokens, take: (length: number) => string): string {
  if (tokens <= 0) return '';
  // No encoding here uses more than 3 tokens per UTF-16 unit, nor needs to read more than this.
  let length = Math.min(text.length, tokens * 16);
  for (;;) {
    const part = take(length);
    const used = count(part);
    if (used <= tokens) return part;
    length = Math.floor(Math.min(length * 0.95, (length * tokens) / used));
  }
}
