import type { ReaderTool, ReaderToolNames, Role } from '@spillway/engine';
import type { LineRange } from '../outputs/lines-asked.js';
import type { AnswerRoom } from './reader-answer.js';

/** The arguments of each reader tool, checked. */
export interface ReaderArguments extends Record<ReaderTool, object> {
  read_output: { id: string; path?: string | undefined } & LineRange;
  grep_output: {
    id: string;
    pattern: string;
    ignore_case?: boolean | undefined;
    context?: number | undefined;
    cursor?: string | undefined;
  };
  outline_output: { id: string; from_line?: number | undefined };
  search_history: {
    q: string;
    role?: Role | undefined;
    tool?: string | undefined;
    cursor?: string | undefined;
  };
  read_message: { seq: number } & LineRange;
}

export type ReaderCall = {
  [T in ReaderTool]: { tool: T; arguments: ReaderArguments[T] };
}[ReaderTool];

/** The thread that tools read, and how they answer. */
export interface ReaderThread {
  projectId: string;
  threadId: string;
  /** Maximum tokens of an answer. Default: a quarter of the context's limit, at most 2,000. */
  maxTokens?: number | undefined;
  /** How answers write the calls that read on. Default: with the names of the thread's policy. */
  calls?: CallStyle | undefined;
  /** Answers have their structure beside the text. Default: false. */
  structured?: boolean;
}

export interface CallStyle {
  names: ReaderToolNames;
  /** Arguments that every call takes. */
  also: Record<string, unknown>;
}

/** What a tool answers within. */
export interface ReaderScope {
  projectId: string;
  threadId: string;
  threadUid: string;
  room: AnswerRoom;
  /** A call of another reader tool, as the model would write it. */
  callOf: (tool: ReaderTool, args: Record<string, unknown>) => string;
}
