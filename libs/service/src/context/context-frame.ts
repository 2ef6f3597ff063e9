import type { CounterName, FormatName, ReasoningMode } from '@spillway/engine';
import type { ShownSummary, ThreadWithSummary } from '@spillway/store';
import type { ThreadSettings } from '../policies/settings.js';
import type { WindowMessage } from '../messages/entries.js';

/**
 * The parameters of a context besides the messages and the summary. The frame of a served context is stored, so that
 * the same context can be built again later.
 */
export interface ContextFrame {
  format: FormatName;
  /** Tokens of the system prompt and the tool schemas, which are sent beside the messages. */
  systemTokens: number;
  /** Of these, the tool schemas. */
  toolTokens: number;
  contextWindow: number;
  limit: number;
  trigger: number;
  maxImages: number;
  counter: { name: CounterName; charsPerToken: number; perMessage: number };
  /** The requested model, or else the thread's. */
  model: string | null;
  /** Whether consecutive messages of the user are separated. Absent in older frames. */
  alternate?: boolean;
  /** How signed reasoning is treated. */
  reasoning?: ReasoningMode;
  /** Last seq of the system messages that the thread began with. A rewind may move it. */
  leadingThrough?: number;
  /** Seqs of the pinned messages that it could show: a pin may change later. Absent in older frames. */
  pinned?: readonly number[];
  /** Hash of the tool schemas. */
  toolsHash?: string;
  /** The fingerprint covers the tool schemas. Absent in older frames, whose contexts keep their fingerprint. */
  namesTools?: boolean;
  /** Digest of everything sent: system prompt, tools and messages. */
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

/** The source of a context. */
export interface ContextSource {
  row: ThreadWithSummary;
  frame: ContextFrame;
  /** The system prompt beside the messages. */
  prompt: string | null;
  summary: ShownSummary | undefined;
  through: number;
  /** The limit without a smaller budget for this context. */
  ownLimit: number;
  /** See ThreadSettings. */
  measuredLimit: number;
  /** The messages after the summary up to `through`, and those that it carries, where they are known already. */
  window: readonly WindowMessage[] | null;
}
