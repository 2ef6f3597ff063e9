import type { CounterName, FormatName, ReasoningMode } from '@spillway/engine';
import type { ShownSummary, ThreadRow } from '@spillway/store';
import type { ThreadSettings } from '../policies/settings.js';

/**
 * What a context is made with, besides the messages and the summary that it shows. The frame of a context that was
 * served is stored, so that the same context can be made again after all of this has changed.
 */
export interface ContextFrame {
  format: FormatName;
  /** Of the system prompt and the tool schemas, which are sent beside the messages. */
  systemTokens: number;
  /** Of these, the tool schemas. */
  toolTokens: number;
  contextWindow: number;
  limit: number;
  trigger: number;
  maxImages: number;
  counter: { name: CounterName; charsPerToken: number; perMessage: number };
  /** The model it is for: the one asked for, or else the thread's. */
  model: string | null;
  /** Messages of the user that were posted in a row are separated. Left out in frames without it. */
  alternate?: boolean;
  /** What is done with signed reasoning. */
  reasoning?: ReasoningMode;
  /** Hash of the tool schemas. */
  toolsHash?: string;
  /** Digest of all that was sent: system prompt, tools and messages. */
  digest?: string;
}

/** The frame of a context under these settings, in a format and within a limit. */
export function frameOf(
  { policy, budget, systemTokens, toolTokens }: ThreadSettings,
  { format, limit, model, alternate = false }: Pick<ContextFrame, 'format' | 'limit' | 'model' | 'alternate'>,
): ContextFrame {
  const {
    counter,
    chars_per_token: charsPerToken,
    message_overhead: perMessage,
    max_images,
  } = policy.context;
  return {
    format,
    systemTokens,
    toolTokens,
    contextWindow: budget.contextWindow,
    limit,
    trigger: budget.trigger,
    maxImages: max_images,
    counter: { name: counter, charsPerToken, perMessage },
    model,
    ...(alternate ? { alternate } : {}),
  };
}

/** What a context is made from. */
export interface ContextSource {
  row: ThreadRow;
  frame: ContextFrame;
  /** The system prompt beside the messages. */
  prompt: string | null;
  summary: ShownSummary | undefined;
  through: number;
  /** What the limit would be without a smaller budget for this context. */
  ownLimit: number;
  /** See ThreadSettings. */
  measuredLimit: number;
}
