import { clipHead, type CountTokens } from '@spillway/engine';

/** The answer of a reader tool, for a model. */
export interface ReaderAnswer {
  text: string;
  isError: boolean;
  tokens: number;
  /** The same answer as data, for a caller who asked for it and a tool that has one. */
  structure?: object;
}

/** What an answer may take, and how its tokens are counted. */
export interface AnswerRoom {
  maxTokens: number;
  count: CountTokens;
  /** The answer has a structure too. Its JSON has at most `maxTokens`, as the text has. */
  structured: boolean;
}

/** Tokens for the last line of an answer, which says how to read on. */
export const footerTokens = 80;

/** The call of a tool as a model would write it. */
export const writtenCall = (name: string, args: Record<string, unknown>): string =>
  `${name}(${Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`;

/**
 * Puts the body of an answer above its last line. The body is clipped where it would exceed the answer's tokens. The
 * structure must fit already.
 */
export function answerOf(
  body: string,
  footer: string,
  { maxTokens, count, structured }: AnswerRoom,
  structure?: object,
): ReaderAnswer {
  const room = maxTokens - count(footer) - 2;
  const shown = count(body) <= room ? body : `${clipHead(body, Math.max(0, room - 8), count)} [cut]`;
  const text = [shown.replace(/\n+$/, ''), footer].filter((part) => part !== '').join('\n');
  return { text, isError: false, tokens: count(text), ...(structured && structure ? { structure } : {}) };
}
