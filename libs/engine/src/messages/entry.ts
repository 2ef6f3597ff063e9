import type { FormatName } from '../formats/format-name.js';
import { answersOf, callsOf, mediaOf, type Message } from './message.js';
import { isSystem, type Role } from './role.js';

/**
 * What every decision about a message needs, without its body: the engine cuts, plans and fits on entries, so a
 * thread of any length can be decided on without reading its text.
 */
export interface Entry {
  /** Dense position in the thread, from 1. */
  seq: number;
  role: Role;
  /** Tokens the message takes in a context (of its stub, when its content was offloaded). */
  tokens: number;
  /** Posted with `pinned: true`: never summarized, never left out. */
  pinned: boolean;
  /** Ids of the tool calls an assistant message makes. */
  calls: readonly string[];
  /** Ids of the tool calls whose results it holds. */
  answers: readonly string[];
  /** Images it shows. */
  images: number;
  /** An item of a step (OpenAI Responses) and not a whole message: the assistant's next item belongs to it. */
  item: boolean;
}

/** What is decided on of a message. */
export const entryOfMessage = (
  message: Message,
  of: { seq: number; tokens: number; pinned: boolean; format: FormatName },
): Entry => ({
  seq: of.seq,
  role: message.role,
  tokens: of.tokens,
  pinned: of.pinned,
  calls: callsOf(message).map((call) => call.id),
  answers: answersOf(message),
  images: mediaOf(message).filter((media) => media.kind === 'image').length,
  item: of.format === 'responses',
});

/** A message is never shortened below this many tokens. */
export const minShortenedTokens = 48;

/**
 * What an entry weighs against a budget. A message larger than half of the limit is shown shortened as soon as
 * space is short, so it never weighs more than that; otherwise one pasted file would keep a thread over its
 * trigger for ever.
 */
export const weigh = (entry: Entry, limit: number): number =>
  entry.pinned || isSystem(entry)
    ? entry.tokens
    : Math.min(entry.tokens, Math.max(minShortenedTokens, Math.floor(limit / 2)));

/** The last seq of the system messages a thread starts with; 0 when it starts with something else. */
export function leadingThrough(entries: readonly Entry[]): number {
  let through = 0;
  for (const entry of entries) {
    if (!isSystem(entry) || entry.seq !== through + 1) break;
    through = entry.seq;
  }
  return through;
}
