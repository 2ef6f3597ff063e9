import type { JsonMessage } from '@spillway/testing';

/** Chronos's estimate of a message in OpenAI's format, from its documentation alone. */
export interface ChronosEstimate {
  tokens: number;
  /** How many texts were joined; a counter that rounds each of them up may say up to one more for each. */
  texts: number;
}

/**
 * Four characters are a token, names and tool calls are counted, and each message takes four more. Where it rounds is
 * not documented; once, after adding up, is the least it can say.
 */
export function estimateAsChronos(message: JsonMessage): ChronosEstimate {
  const texts = [...spoken(message.content), ...called(message.tool_calls)];
  if (typeof message.name === 'string') texts.push(message.name);
  const characters = texts.reduce((total, text) => total + Array.from(text).length, 0);
  return { tokens: 4 + Math.ceil(characters / 4), texts: texts.filter((text) => text !== '').length };
}

/** What three tokens once a conversation add to its messages. */
export const estimateConversation = (messages: readonly JsonMessage[]): number =>
  messages.reduce((total, message) => total + estimateAsChronos(message).tokens, 3);

function spoken(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { text?: unknown }) => (typeof part.text === 'string' ? [part.text] : []));
}

function called(calls: unknown): string[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap(({ function: of }: { function?: { name: string; arguments: string } }) =>
    of ? [of.name, of.arguments] : [],
  );
}
