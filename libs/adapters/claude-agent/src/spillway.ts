import { Spillway, type Thread } from '@spillway/client';
import {
  AgentThreads,
  agentDefaults,
  batchOf,
  type AgentOptions,
  type AgentThread,
  type Status,
} from '@spillway/client/agent';
import { fieldsOf } from './readers.js';
import type { HookInput, HookOutput, Sdk, SessionEntry, SessionStore } from './sdk.js';
import { messagesOf, modelOf } from './session-messages.js';
import { replaceable } from './tool-response.js';
import { Uploads } from './uploads.js';

export interface ClaudeAgentOptions<Server> extends AgentOptions {
  /** The program of the SDK gets it in its environment, so it cannot be a function here. */
  key: string;
  /** `{ createSdkMcpServer, tool }` of `@anthropic-ai/claude-agent-sdk`. */
  sdk: Sdk<Server>;
  /** Results of more characters leave the context of a mirrored session. Default: 12,000, about 3,000 tokens. */
  offloadOver?: number;
}

export interface ClaudeAgentSpillway<Server> {
  /** Whether Spillway can be reached, as far as the tools that read back have noticed. */
  readonly status: Status;
  thread(id: string): ClaudeAgentThread<Server>;
}

/** The tools with which the model reads what left its context, in options of `query`. */
export interface Readers<Server> {
  mcpServers: { spillway: Server };
  allowedTools: string[];
}

export interface ClaudeAgentThread<Server> {
  readonly id: string;
  /**
   * Options for a query whose model calls go through Spillway, which records them and sends the thread's context. `env`
   * is the environment of the program; the key of the provider in it stays.
   */
  proxied(env: Record<string, string | undefined>): Readers<Server> & {
    env: Record<string, string | undefined>;
    disallowedTools: string[];
  };
  /** Options for a query that calls its provider itself: large results leave its context, and the thread is a record. */
  mirrored(): Readers<Server> & {
    hooks: { PostToolUse: { hooks: ((input: HookInput) => Promise<HookOutput>)[] }[] };
    sessionStore: SessionStore;
    sessionStoreFlush: 'eager';
  };
}

/** Connects sessions of the Claude Agent SDK to a Spillway service. */
export function createSpillway<Server>(options: ClaudeAgentOptions<Server>): ClaudeAgentSpillway<Server> {
  const { sdk, offloadOver = 12_000, ...agentOptions } = options;
  const threads = new AgentThreads('anthropic', agentOptions);
  const spillway = new Spillway({ ...agentDefaults, ...agentOptions });
  const log = options.log ?? console.warn;
  const { baseUrl, key } = agentOptions;

  function readersOf(thread: AgentThread, uploads?: Uploads): Readers<Server> {
    const tools = threads.readers.map((reader) =>
      sdk.tool(reader.name, reader.description, fieldsOf(reader) as never, async (args) => {
        await uploads?.readable(args.id);
        return { content: [{ type: 'text', text: await thread.runTool(reader.name, args) }] };
      }),
    );
    const server = sdk.createSdkMcpServer({ name: 'spillway', alwaysLoad: true, tools: tools as never[] });
    return { mcpServers: { spillway: server }, allowedTools: ['mcp__spillway'] };
  }

  /** Replaces a large result by its stub. A result that cannot be stored stays as it is. */
  async function offloaded(thread: Thread, uploads: Uploads, input: HookInput): Promise<HookOutput> {
    const { agent_id: agent, tool_name: tool, tool_use_id: toolCallId, tool_response: response } = input;
    const result = replaceable(response);
    // A subagent's session is not mirrored, so its stub would never be posted. A reader's answer is bounded already.
    if (agent !== undefined || tool?.startsWith('mcp__spillway__') || !result) return {};
    if (result.text.length <= offloadOver) return {};
    try {
      await thread.put({ format: 'anthropic' });
      const { stub } = await thread.upload(new Blob([result.text]).stream(), {
        ...(tool === undefined ? {} : { tool }),
        ...(toolCallId === undefined ? {} : { toolCallId }),
        // Uploads have no limit of their own.
        signal: AbortSignal.timeout(options.timeoutMs ?? agentDefaults.timeoutMs),
      });
      uploads.add(stub);
      const updatedToolOutput = result.with(stub);
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } };
    } catch (error) {
      log(`Spillway did not store a result of ${result.text.length} characters: ${(error as Error).message}`);
      return {};
    }
  }

  function mirror(thread: Thread, uploads: Uploads): SessionStore {
    /** Batches are posted one after the other. The SDK tries a batch that failed again, and reports its loss. */
    let running: Promise<unknown> = Promise.resolve();
    let known: { model?: string } | undefined;
    const post = async (entries: SessionEntry[]): Promise<void> => {
      const messages = messagesOf(entries);
      if (messages.length === 0) return;
      const model = modelOf(entries) ?? known?.model;
      if (!known || model !== known.model) {
        const settings = model === undefined ? {} : { model };
        await thread.put({ format: 'anthropic', ...settings });
        known = settings;
      }
      for (let rest = messages; rest.length > 0;) {
        const batch = batchOf(rest);
        await thread.append(batch);
        uploads.recorded(batch);
        rest = rest.slice(batch.length);
      }
    };
    return {
      append({ subpath }, entries) {
        if (subpath !== undefined) return Promise.resolve();
        const posting = running.then(() => post(entries));
        running = posting.catch(() => undefined);
        return posting;
      },
      // A thread has messages, and not all that a session file has: sessions resume from their file.
      load: () => Promise.resolve(null),
    };
  }

  return {
    get status() {
      return threads.status;
    },
    thread: (id) => ({
      id,
      proxied: (env) => ({
        ...readersOf(threads.thread(id)),
        // They ask the model themselves. Their requests would have the header of this thread, and another history.
        disallowedTools: ['Task', 'Agent', 'WebFetch', 'WebSearch'],
        env: {
          ...env,
          ANTHROPIC_BASE_URL: baseUrl,
          ANTHROPIC_CUSTOM_HEADERS: `Spillway-Thread: ${id}\nSpillway-Key: ${key}`,
          DISABLE_AUTO_COMPACT: '1',
          // The program asks the model for a title of the session, which would be recorded in the thread.
          CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1',
        },
      }),
      mirrored() {
        const uploads = new Uploads();
        const thread = spillway.thread(id, { format: 'anthropic' });
        return {
          ...readersOf(threads.thread(id), uploads),
          hooks: { PostToolUse: [{ hooks: [(input) => offloaded(thread, uploads, input)] }] },
          sessionStore: mirror(thread, uploads),
          sessionStoreFlush: 'eager' as const,
        };
      },
    }),
  };
}
