import {
  AgentThreads,
  geminiContents,
  geminiHistory,
  geminiSystem,
  geminiTools,
  geminiUsage,
  isGeminiFunctions,
  type AgentOptions,
  type AgentThread,
  type GeminiContent,
  type Status,
} from '@spillway/client/agent';
import type { LlmRequest, LlmResponse, Context } from './adk.js';

export interface AdkSpillwayOptions extends AgentOptions {
  /**
   * The id of the thread of an agent. Default: the id of the session for its first agent, and `<session>.<agent>` for
   * the others, whose requests show the conversation from their side.
   */
  threadId?: (context: Context) => string;
}

export interface AdkSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** To spread into `new LlmAgent(...)`. Where an agent has callbacks of its own: a list of both. */
  readonly callbacks: Callbacks;
}

interface Callbacks {
  beforeModelCallback: (call: { context: Context; request: LlmRequest }) => Promise<undefined>;
  afterModelCallback: (call: { context: Context; response: LlmResponse }) => undefined;
  afterAgentCallback: (context: Context) => Promise<undefined>;
}

/** What a thread was last asked, until the agent's turn ends. */
interface Asked {
  contents: readonly GeminiContent[];
  answer?: GeminiContent;
  /** What the provider counted, as the contract of appends takes it. */
  usage?: object | undefined;
}

/** Connects agents of Google's Agent Development Kit to a Spillway service. A thread is a session. */
export function createSpillway({ threadId = defaultThreadId, ...options }: AdkSpillwayOptions): AdkSpillway {
  const threads = new AgentThreads('ai-sdk', options);
  const asked = new WeakMap<AgentThread, Asked>();

  const callbacks: Callbacks = {
    /** Records what is new and gives the call its context; the session keeps every event as it was. */
    async beforeModelCallback({ context, request }) {
      const thread = threads.thread(threadId(context));
      addReaders(request, threads, thread);
      const history = geminiHistory(request.contents);
      const usage = asked.get(thread)?.usage;
      asked.set(thread, { contents: request.contents });
      const { systemInstruction } = (request.config ??= {});
      const system = geminiSystem(systemInstruction);
      const shown = await thread.context({
        history: history.map(([message]) => message),
        model: request.model,
        system,
        tools: geminiTools(request.config.tools),
        usage,
        signal: context.abortSignal,
      });
      if (!shown) return undefined;
      request.contents = geminiContents(shown.messages, history);
      if (shown.system !== null && shown.system !== system) request.config.systemInstruction = shown.system;
      return undefined;
    },
    /** Notes the answer and what the provider counted. */
    afterModelCallback({ context, response: { partial, content, usageMetadata } }) {
      const one = asked.get(threads.thread(threadId(context)));
      if (!one || partial === true) return undefined;
      // The kit writes ids into it.
      if (content) one.answer = structuredClone(content);
      one.usage = geminiUsage(usageMetadata) ?? one.usage;
      return undefined;
    },
    /** Records the last answer, which no model call is prepared with. */
    async afterAgentCallback(context) {
      const thread = threads.thread(threadId(context));
      const one = asked.get(thread);
      asked.delete(thread);
      if (!one?.answer) return undefined;
      const history = geminiHistory([...one.contents, one.answer]).map(([message]) => message);
      await thread.record({ history, usage: one.usage });
      return undefined;
    },
  };
  return {
    get status() {
      return threads.status;
    },
    callbacks,
  };
}

function defaultThreadId({ invocationContext: { session, agent } }: Context): string {
  const isFirst = agent === undefined || agent.name === agent.rootAgent?.name;
  return isFirst ? session.id : `${session.id}.${agent.name}`;
}

/** Adds the tools with which the model reads what left its context. The agent's own tool of such a name stays. */
function addReaders(request: LlmRequest, { readers }: AgentThreads, thread: AgentThread): void {
  const added = readers.filter(({ name }) => !(name in request.toolsDict));
  for (const { name, description } of added)
    request.toolsDict[name] = {
      name,
      description,
      isLongRunning: false,
      runAsync: ({ args, toolContext }: { args: Record<string, unknown>; toolContext?: Context }) =>
        thread.runTool(name, args, toolContext?.abortSignal),
    };
  const functionDeclarations = added.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  const config = (request.config ??= {});
  const own = (config.tools ?? []).find(isGeminiFunctions);
  // Gemini takes all functions in one tool.
  if (own) own.functionDeclarations.push(...functionDeclarations);
  else config.tools = [...(config.tools ?? []), { functionDeclarations }];
}
