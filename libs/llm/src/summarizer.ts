import type { CountTokens, ModelUsage, SeqMessage, SummaryFields } from '@spillway/engine';

/** A context in the form in which a model was sent it, as AI SDK messages. */
export interface Conversation {
  system: string | null;
  messages: readonly object[];
  /** Tool schemas as the caller gave them. */
  tools: readonly unknown[];
  toSeq: number;
  newer: number;
}

export interface SummarizeInput {
  /** Breakers and delays are kept per project: see provider-gates.ts. */
  projectId: string;
  /** The active summary, which the new one replaces and must fold in. */
  prior: SummaryFields | null;
  /** In seq order. */
  messages: readonly SeqMessage[];
  /** Standing instructions that stand at the head of the summary or hold no more: code does not quote them again. */
  instructions?: readonly string[];
  /** Tokens the five fields may take together. */
  maxTokens: number;
  model: string | null;
  /** Replaces our rules (AgentScope's compression_prompt). */
  prompt: string | null;
  /** JSON Schema of the fields (AgentScope's summary_schema); null for the five. */
  schema: Record<string, unknown> | null;
  /** Which try this is, from 1: each asks another way. */
  attempt: number;
  /** What an earlier answer left out of these messages, one value with its seq each; empty on the first try. */
  lost?: readonly string[];
  /** The context the agent was sent, for `summary.input: continuation`; null to send a transcript. */
  conversation: Conversation | null;
  timeoutMs: number;
  count: CountTokens;
  /** Called with the usage of each model call, whether or not its answer is usable. */
  spent: (model: string, usage: ModelUsage) => void;
  /** Aborted when the lease is lost, to stop spending. */
  signal: AbortSignal;
}

export interface Summarized {
  fields: SummaryFields;
  method: 'llm' | 'extractive';
  model: string | null;
}

/** Makes one summary. Throws `SummarizerError`; retries are left to the caller. */
export interface Summarizer {
  summarize(input: SummarizeInput): Promise<Summarized>;
}

/** The kind of failure, as far as callers distinguish it. */
export type SummarizerFailure =
  | 'rate_limited'
  | 'unavailable'
  /** No request was sent: see provider-gate.ts. */
  | 'paused'
  | 'too_long'
  | 'auth'
  /** The provider rejected the request itself: an unknown model or unsupported parameters. */
  | 'rejected'
  | 'refused'
  | 'invalid_answer'
  | 'aborted';

export class SummarizerError extends Error {
  constructor(
    readonly failure: SummarizerFailure,
    message: string,
    /** The provider's Retry-After, in ms. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    // A provider may repeat what it was sent. Postgres stores no NUL and no half of a surrogate pair, and an attempt
    // whose error cannot be stored would count as lost.
    super(message.replaceAll('\0', '').toWellFormed(), options);
    this.name = 'SummarizerError';
  }
}
