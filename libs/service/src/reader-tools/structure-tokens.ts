import { clipHead, type CountTokens } from '@spillway/engine';
import type { AnswerRoom } from './reader-answer.js';

/** Tokens of a comma between two items, and of what joins differently than it was counted. */
const joint = 2;

export const jsonTokens = (value: unknown, count: CountTokens): number => count(JSON.stringify(value));

/**
 * Tokens of an item of an answer: of its text or, in an answer with a structure, of the longer of text and JSON. Text and
 * structure then hold the same items and continue at the same place.
 */
export const itemTokens = (text: string, item: object, { count, structured }: AnswerRoom): number =>
  Math.max(count(text) + 1, structured ? jsonTokens(item, count) + joint : 0);

/** Tokens that the items of a structure may take beside the rest of it. */
export const tokensBeside = (frame: object, { maxTokens, count }: AnswerRoom): number =>
  maxTokens - jsonTokens(frame, count) - joint;

/** Roughly the longest beginning of a text whose JSON has at most these tokens. Never splits a character. */
export function clipForJson(text: string, tokens: number, count: CountTokens): string {
  // Escapes make most texts longer and none shorter.
  let part = clipHead(text, tokens, count);
  for (let used = jsonTokens(part, count); used > tokens && part !== ''; used = jsonTokens(part, count))
    part = clipHead(part, Math.min(count(part) - 1, Math.floor((count(part) * tokens) / used)), count);
  return part;
}
