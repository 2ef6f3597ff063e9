import type { Context, FormatName, ReasoningMode, ReasoningReport } from '@spillway/engine';
import type { SummaryMaker, ThreadWithSummary } from '@spillway/store';
import type { ContextFrame } from './context-frame.js';
import type { WindowMessage } from '../messages/entries.js';

/** What is asked for. */
export interface ContextQuery {
  projectId: string;
  threadId: string;
  /** A smaller budget, in tokens. */
  maxTokens?: number;
  /** The context as it was when this seq was the newest. */
  at?: number;
  /** Replaces the thread's system prompt. */
  system?: string;
  /** The format of the messages. Default: as served, or the thread's. */
  format?: FormatName;
  /** Separates consecutive messages of the user. */
  alternate?: boolean;
  /** How reasoning that a provider signed or sealed is treated. */
  reasoning?: ReasoningMode;
  /** The model that the context is for. Default: the thread's. */
  model?: string;
  /** Tools that are sent beside the thread's own. */
  tools?: readonly unknown[] | undefined;
}

/** What is served. */
export interface ReadContext extends Omit<Context, 'system'> {
  format: FormatName;
  system: string | null;
  budget: { contextWindow: number; limit: number; trigger: number };
  summary: { generation: number; fromSeq: number; toSeq: number; method: SummaryMaker } | null;
  /** The newest message that the context includes. */
  lastSeq: number;
  model: string | null;
  /** Tokens of the same conversation with every message in full and no summary, with its system prompt and tools. */
  fullTokens: number;
  /** Changes exactly when what a model would be sent changes. */
  fingerprint: string;
  /** For `at`: when a context was served there, and whether this is the same context. Null when none was served. */
  served: { at: Date; exact: boolean } | null;
  /** Signed or sealed reasoning that is kept and that is stripped. */
  reasoning: ReasoningReport;
  /** The source of the context. */
  made: {
    row: ThreadWithSummary;
    frame: ContextFrame;
    prompt: string | null;
    /** All messages that it could show; null when they were too many to be read at once. */
    window: readonly WindowMessage[] | null;
  };
  /** It follows from the thread's row alone: no output or media that may be lost, no contexts served before. */
  isRepeatable: boolean;
}
