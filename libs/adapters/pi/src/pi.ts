/**
 * What the adapter uses of pi. pi's own types are not imported, because the package of pi takes 160 MB and is installed
 * beside its users' projects, not in them. A test compiles an extension against the real types.
 */

/** A block of a message: text, thinking, an image or a tool call. */
export interface Block {
  type: string;
  text?: string;
  thinking?: string;
  thinkingSignature?: string;
  redacted?: boolean;
  data?: string;
  mimeType?: string;
  id?: string;
  name?: string;
  arguments?: Record<string, unknown>;
}

export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
}

/** A message of a session: of the model, or of pi (a `!` command, a summary, a message of an extension). */
export interface PiMessage {
  role: string;
  timestamp: number;
  content?: string | Block[];
  api?: string;
  provider?: string;
  model?: string;
  usage?: Usage;
  stopReason?: string;
  toolCallId?: string;
  toolName?: string;
  isError?: boolean;
  command?: string;
  output?: string;
  excludeFromContext?: boolean;
  summary?: string;
}

/** An entry of a session file. */
export interface Entry {
  type: string;
  id: string;
  message?: PiMessage;
  content?: string | Block[];
  summary?: string;
  /** Of a compaction; null when it keeps nothing. */
  firstKeptEntryId?: string | null;
}

export interface Model {
  id: string;
  api: string;
  provider: string;
}

export interface PiContext {
  hasUI: boolean;
  ui: { notify(message: string, type?: 'info' | 'warning' | 'error'): void };
  model: Model | undefined;
  signal: AbortSignal | undefined;
  sessionManager: {
    getSessionId(): string;
    getBranch(): Entry[];
    buildSessionProjection(): { messages: PiMessage[] };
  };
  getSystemPrompt(): string;
  abort(): void;
}

export interface Compaction {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
}

type Handler<Event, Result = void> = (event: Event, context: PiContext) => Promise<Result> | Result;

interface PiTool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  execute(
    id: string,
    input: Record<string, unknown>,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: PiContext,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: unknown }>;
}

/** What pi gives to an extension, as wide as its overloads need: `PiApi` says how the adapter calls it. */
export interface PiExtensionApi {
  on(...args: never): unknown;
  registerTool(tool: never): void;
  getActiveTools(): string[];
  getAllTools(): { name: string; description: string; parameters: object }[];
}

/** The part of pi's `ExtensionAPI` that the adapter uses. */
export interface PiApi extends Omit<PiExtensionApi, 'on' | 'registerTool'> {
  on(event: 'session_start', handler: Handler<object>): void;
  on(
    event: 'context',
    handler: Handler<{ messages: PiMessage[] }, { messages: PiMessage[] } | undefined>,
  ): void;
  on(event: 'message_end', handler: Handler<{ message: PiMessage }>): void;
  on(event: 'agent_end', handler: Handler<{ messages: PiMessage[] }>): void;
  on(
    event: 'session_before_compact',
    handler: Handler<
      { preparation: { tokensBefore: number }; branchEntries: Entry[]; signal: AbortSignal },
      { compaction: Compaction } | undefined
    >,
  ): void;
  registerTool(tool: PiTool): void;
}
