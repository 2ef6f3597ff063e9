/**
 * What the adapter uses of `@anthropic-ai/claude-agent-sdk`. Its types are not imported, because its program takes 364 MB
 * and is installed in its users' projects. A test compiles a query against them.
 */

export interface TextResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
}

/** The functions of the SDK that make a server of tools in the process of its user. */
export interface Sdk<Server> {
  createSdkMcpServer(options: { name: string; alwaysLoad: boolean; tools: never[] }): Server;
  tool(
    name: string,
    description: string,
    fields: never,
    handler: (args: Record<string, unknown>) => Promise<TextResult>,
  ): unknown;
}

export interface HookInput {
  hook_event_name: string;
  /** Set inside a subagent. */
  agent_id?: string;
  tool_name?: string;
  tool_response?: unknown;
  tool_use_id?: string;
}

export interface HookOutput {
  hookSpecificOutput?: { hookEventName: 'PostToolUse'; updatedToolOutput: unknown };
}

/** A line of a session file. */
export interface SessionEntry {
  type: string;
  uuid?: string;
  [key: string]: unknown;
}

export interface SessionKey {
  projectKey: string;
  sessionId: string;
  /** Of a subagent's file. */
  subpath?: string;
}

export interface SessionStore {
  append(key: SessionKey, entries: SessionEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionEntry[] | null>;
}
