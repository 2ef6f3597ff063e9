/**
 * What the adapter uses of opencode. The types of `@opencode-ai/plugin` are not imported, because it brings 60 MB of
 * packages, and opencode is installed beside its users' projects, not in them. A test compiles a plugin against them.
 */

export interface FilePart {
  id: string;
  sessionID: string;
  messageID: string;
  type: 'file';
  mime: string;
  url: string;
  filename?: string;
}

/** What a tool call has come to. */
export interface ToolState {
  status: 'pending' | 'running' | 'completed' | 'error';
  input: Record<string, unknown>;
  output?: string;
  error?: string;
  metadata?: Record<string, unknown>;
  /** `compacted`: opencode shows the model a line in place of the output. */
  time?: { start: number; end?: number; compacted?: number };
  attachments?: FilePart[];
}

/** A part of a message: text, a file, reasoning, a call with its result, or a mark of opencode's own. */
export interface Part {
  id: string;
  sessionID: string;
  messageID: string;
  type: string;
  text?: string;
  /** Shown to the user only. */
  ignored?: boolean;
  mime?: string;
  url?: string;
  filename?: string;
  metadata?: Record<string, unknown>;
  callID?: string;
  tool?: string;
  state?: ToolState;
}

export interface Tokens {
  input: number;
  output: number;
  reasoning: number;
  cache: { read: number; write: number };
}

/** A message without its parts. Each model call has a message of its own, which holds its results too. */
export interface Info {
  id: string;
  sessionID: string;
  role: 'user' | 'assistant';
  /** Of a user's message. */
  agent?: string;
  model?: { providerID: string; modelID: string };
  /** Of an answer. */
  parentID?: string;
  providerID?: string;
  modelID?: string;
  tokens?: Tokens;
  error?: { name: string };
  /** True for the summary that a compaction of opencode made. User's messages have an object here. */
  summary?: unknown;
}

export interface Entry {
  info: Info;
  parts: Part[];
}

export interface PermissionRule {
  permission: string;
  pattern: string;
  action: string;
}

export interface Agent {
  name: string;
  /** Of opencode's own work: titles, summaries, compactions. */
  hidden?: boolean;
  prompt?: string;
  permission: PermissionRule[];
}

export interface ListedTool {
  id: string;
  description: string;
  parameters: unknown;
}

interface Answer<T> {
  data?: T | undefined;
  error?: unknown;
}

/** The client of opencode's own API, as a plugin gets it. */
export interface OpencodeClient {
  session: {
    messages(options: { path: { id: string } }): Promise<Answer<Entry[]>>;
    get(options: { path: { id: string } }): Promise<Answer<{ permission?: PermissionRule[] }>>;
  };
  app: {
    agents(): Promise<Answer<Agent[]>>;
    log(options: {
      body: { service: string; level: 'warn' | 'error'; message: string };
    }): Promise<Answer<boolean>>;
  };
  tool: {
    list(options: { query: { provider: string; model: string } }): Promise<Answer<ListedTool[]>>;
  };
  tui: {
    showToast(options: { body: { message: string; variant: 'warning' } }): Promise<Answer<boolean>>;
  };
}

export interface ToolContext {
  sessionID: string;
  abort: AbortSignal;
}

/** The hooks of a plugin that the adapter has, as it reads them: `OpencodePlugin` says what opencode asks for. */
export interface OpencodeHooks {
  'experimental.chat.messages.transform'(input: object, output: { messages: Entry[] }): Promise<void>;
  'experimental.chat.system.transform'(
    input: { sessionID?: string },
    output: { system: string[] },
  ): Promise<void>;
  event(input: { event: { type: string; properties: unknown } }): Promise<void>;
  dispose(): Promise<void>;
}

/** A plugin, as wide as the types of opencode need. */
export type OpencodePlugin = (input: { client: unknown }) => Promise<
  Pick<OpencodeHooks, 'experimental.chat.system.transform' | 'dispose'> & {
    tool: Record<string, never>;
    'experimental.chat.messages.transform'(input: object, output: { messages: unknown[] }): Promise<void>;
    event(input: { event: { type: string; properties: unknown } }): Promise<void>;
  }
>;
