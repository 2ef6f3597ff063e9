import type { CountTokens, ModelUsage, SeqMessage, SummaryFields } from '@spillway/engine';

/** A context as a model was sent it, as AI SDK messages. */
export interface Conversation {
  system: string | null;
  messages: readonly object[];
  /** Tool schemas as the caller gave them. */
  tools: readonly unknown[];
  toSeq: number;
  newer: number;
}

export interface SummarizeInput {
  /** The breaker and the pauses of a provider are kept per project: see provider-gates.ts. */
  projectId: string;
  /** The active summary, which the new one replaces and must fold in. */
  prior: SummaryFields | null;
  /** In seq order. */
  messages: readonly SeqMessage[];
  /** Tokens the five fields may take together. */
  maxTokens: number;
  model: string | null;
  /** Replaces our rules (AgentScope's compression_prompt). */
  prompt: string | null;
  /** JSON Schema of the fields (AgentScope's summary_schema); null for the five. */
  schema: Record<string, unknown> | null;
  /** Which try this is, from 1: each asks another way. */
  attempt: number;
  /** The context the agent was sent, for `summary.input: continuation`; null to send a transcript. */
  conversation: Conversation | null;
  timeoutMs: number;
  count: CountTokens;
  /** Told what each call to a model took, whether or not its answer is of use. */
  spent: (model: string, usage: ModelUsage) => void;
  /** Aborted when the lease is lost: stop spending. */
  signal: AbortSignal;
}

export interface Summarized {
  fields: SummaryFields;
  method: 'llm' | 'extractive';
  model: string | null;
}

/** Makes one summary. Throws `SummarizerError`; whether to try again is the caller's business. */
export interface Summarizer {
  summarize(input: SummarizeInput): Promise<Summarized>;
}

/** What went wrong, as far as the caller must tell it apart. */
export type SummarizerFailure =
  | 'rate_limited'
  | 'unavailable'
  /** Not asked: see provider-gate.ts. */
  | 'paused'
  | 'too_long'
  | 'auth'
  /** The provider rejected the request itself: an unknown model, or parameters that it does not accept. */
  | 'rejected'
  | 'refused'
  | 'invalid_answer'
  | 'aborted';

export class SummarizerError extends Error {
  constructor(
    readonly failure: SummarizerFailure,
    message: string,
    /** What the provider asked for with Retry-After, in ms. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SummarizerError';
  }
}
