import type { Elided } from './fit.js';
import type { Body } from '../messages/message.js';
import type { Entry } from '../messages/entry.js';
import type { Reduction, ReductionRules } from './reduce.js';
import type { Dropped, LostReasoning } from './piece.js';
import type { Unit } from '../units/unit.js';

/** Tokens that the chat template adds per context (Chronos and OpenAI both count 3). */
export const conversationOverhead = 3;

export interface ContextInput extends ReductionRules {
  limit: number;
  /** Tokens of the system prompt and the tool schemas, which are sent beside the messages. */
  systemTokens: number;
  leading: readonly Entry[];
  carried: readonly Entry[];
  /** The rendered active summary as the model sees it; null without one. */
  summary: { text: string; tokens: number } | null;
  recent: readonly Entry[];
}

/** The messages that a context shows; their bodies are read only afterwards. */
export interface ContextOutline {
  input: ContextInput;
  carried: Unit[];
  shown: Unit[];
  /** Maximum tokens of each shortened message, by seq. */
  shortened: Map<number, number>;
  /** Old images and results that are not shown, by seq. */
  reductions: Map<number, Reduction>;
  elided: Elided[];
  degraded: boolean;
  seqs: number[];
}

export type Outlined = { fits: true; outline: ContextOutline } | { fits: false; minimum: number };

export type PartKind = 'system' | 'carried' | 'summary' | 'recent' | 'note';

export interface ContextPart {
  kind: PartKind;
  seq: number | null;
  tokens: number;
}

/** A call at the end of a context that waits for its result. */
export interface PendingCall {
  /** The message with the call. */
  seq: number;
  callId: string;
  name: string;
}

export interface Context {
  messages: Body[];
  /** One for each of `messages`. */
  parts: ContextPart[];
  /** Leading system messages, for a format that sends them beside the messages. */
  system: string[];
  tokens: { total: number; system: number; summary: number; recent: number };
  elided: Elided[];
  /** Losses: what the format cannot express, by message. */
  dropped: Dropped[];
  /** Reasoning that is not shown because its message was shortened, in order. */
  lostReasoning: LostReasoning[];
  degraded: boolean;
  /** Calls without a result at the end. A provider accepts the context only once they have one. */
  pendingCalls: PendingCall[];
}
