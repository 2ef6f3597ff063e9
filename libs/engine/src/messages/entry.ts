import type { FormatName } from './format-name.js';
import { answersOf, callsOf, mediaOf, providerRunsOf, type Message } from './message.js';
import { isSystem, type Role } from './role.js';

/** `keep`: the message stays. `whole`: it stays with its whole outputs. `release`: its results may go. */
export const holdNames = ['keep', 'whole', 'release'] as const;
export type Hold = (typeof holdNames)[number];

/**
 * The decision data of a message without its body. The engine cuts, plans and fits with entries, so it decides on a
 * thread of any length without reading its text.
 */
export interface Entry {
  /** Position in the thread, ascending from 1. What was rewound leaves a gap. */
  seq: number;
  role: Role;
  /** Tokens of the message in a context (of its stub, when its content was offloaded). */
  tokens: number;
  /** Posted with `pinned: true`: never summarized, never left out. */
  pinned: boolean;
  /** Ids of the tool calls in an assistant message. */
  calls: readonly string[];
  /** Ids of the tool calls whose results it contains. */
  answers: readonly string[];
  /** Ids of calls that the provider runs and whose results are in no part of the message. */
  runs?: readonly string[];
  /** Ids of such calls of an earlier message whose results it has. */
  ran?: readonly string[];
  /** Number of images. */
  images: number;
  /** An item of a step (OpenAI Responses) and not a whole message: the assistant's next item belongs to it. */
  item: boolean;
  /** What a caller asked for, and the weight of the message once it is done. The next fold does it. */
  hold?: { name: Hold; tokens: number };
}

/** Returns the entry of a message that is stored in this format, as `seq`, with these tokens. */
export const entryOfMessage = (
  message: Message,
  of: { seq: number; tokens: number; pinned: boolean; format: FormatName },
): Entry => ({
  ...providerRunsOf(message),
  seq: of.seq,
  role: message.role,
  tokens: of.tokens,
  pinned: of.pinned,
  calls: callsOf(message).map((call) => call.id),
  answers: answersOf(message),
  images: mediaOf(message).filter((media) => media.kind === 'image').length,
  item: of.format === 'responses',
});

/** Minimum tokens of a shortened message that still shows some of its text. */
export const minShortenedTokens = 48;
/** Minimum tokens of one that shows only a marker in place of its text. */
export const minMarkedTokens = 16;

/**
 * The weight of an entry in a budget. A message larger than half of the limit is shortened when space is short, so it
 * never weighs more; otherwise one pasted file would keep a thread over its trigger forever.
 */
export const weigh = (entry: Entry, limit: number): number =>
  entry.pinned || isSystem(entry)
    ? entry.tokens
    : Math.min(entry.tokens, Math.max(minShortenedTokens, Math.floor(limit / 2)));

/** The last seq of the leading system messages; 0 without any. */
export function leadingThrough(entries: readonly Entry[]): number {
  let through = 0;
  for (const entry of entries) {
    if (!isSystem(entry) || entry.seq !== through + 1) break;
    through = entry.seq;
  }
  return through;
}
