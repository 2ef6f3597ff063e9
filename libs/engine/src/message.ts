import type { Role } from './entry.js';

/** A message as it stands on the wire: a JSON object. */
export type Body = { [key: string]: unknown };

export interface ToolCall {
  id: string;
  name: string;
  /** The arguments as the model wrote them: JSON text, usually. */
  input: string;
}

/** One message in no provider's words: what counting, previews and summaries read. */
export interface Message {
  role: Role;
  /** All text of the message, parts joined by newlines. */
  text: string;
  /** Images, audio and files, which have tokens but no text. */
  media: number;
  calls: ToolCall[];
  /** Id of the call that a tool message answers. */
  answers: string | null;
  /** Name of the tool or the participant, when the message says it. */
  name: string | null;
}

/** Tokens the chat template adds to each message (Chronos counts 4, OpenAI's models 3 to 4). */
export const messageOverhead = 4;
/** OpenAI bills a large image at 765 tokens, Anthropic at about 1,600; an upper bound serves both. */
export const mediaTokens = 1600;
