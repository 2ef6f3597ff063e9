import type { Body, FormatName } from '@spillway/engine';
import type { GrownThread } from '@spillway/store';
import type { PostedUsage, UsageOutcome } from '../context/calibrate-thread.js';
import type { StagedOutput } from '../outputs/offload-output.js';
import type { IncomingMessage, PreparedMessage } from './prepare-messages.js';

export interface AppendInput {
  projectId: string;
  threadId: string;
  /** The messages, or a function that reads them in the thread's own format. */
  messages: readonly IncomingMessage[] | ((format: FormatName) => readonly IncomingMessage[]);
  /** Records nothing unless this is the thread's newest seq; 0 for a thread without messages. */
  ifLastSeq?: number | undefined;
  /** Usage of the model call that these messages answer. */
  usage?: PostedUsage | null;
}

/** An append whose messages are read. */
export interface ReadAppend extends AppendInput {
  messages: readonly IncomingMessage[];
}

export interface Appended {
  thread: GrownThread;
  /** In the order posted. `output` is set when the content was offloaded. */
  messages: AppendedMessage[];
  /** Every message was recorded before: nothing was written. */
  replayed: boolean;
  /** The outcome of the usage; null when none was posted. */
  usage: UsageOutcome | null;
}

export interface AppendedMessage {
  seq: number;
  clientId: string | null;
  role: string;
  tokens: number;
  outputId: string | null;
  /** Its outputs, when they were stored just now; null for a message that was recorded before. */
  outputs: readonly StagedOutput[] | null;
  /** What the context contains: the stub, when the content was offloaded. */
  body: Body;
  format: FormatName;
}

/** A message that was just written under this seq. */
export const recordedMessage = ({ row, body, outputs }: PreparedMessage, seq: number): AppendedMessage => ({
  seq,
  clientId: row.clientId,
  role: row.role,
  tokens: row.tokens,
  outputId: row.outputId,
  outputs,
  body,
  format: row.format as FormatName,
});
