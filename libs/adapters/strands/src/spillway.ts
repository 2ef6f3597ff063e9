import { AgentThreads, type AgentOptions, type AgentThread, type Status } from '@spillway/client/agent';
import { historyOf, messagesOf, type Message } from './messages.js';
import type { ModelCallContext, ModelCallResult, StrandsMessage, ToolSpec, Usage } from './sdk.js';

/** What a program imports from `@strands-agents/sdk` for the adapter, which does not import it. */
export interface Sdk<Tool> {
  InvokeModelStage: object;
  Message: { fromJSON(json: never): StrandsMessage };
  tool(config: {
    name: string;
    description: string;
    inputSchema: never;
    callback(input: unknown, context: { cancelSignal: AbortSignal }): Promise<string>;
  }): Tool;
}

export interface StrandsSpillwayOptions<Tool> extends AgentOptions {
  sdk: Sdk<Tool>;
}

export interface StrandsSpillway<Tool> {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** For `plugins` of `new Agent(...)`: an agent has one conversation, whose thread has this id. */
  plugin(threadId: string): StrandsPlugin<Tool>;
}

export interface StrandsPlugin<Tool> {
  readonly name: string;
  initAgent(agent: { addMiddleware(stage: never, handler: never): unknown }): void;
  getTools(): Tool[];
}

/** A model call of the SDK: it yields the events of the stream and returns what the model said. */
type Call = AsyncGenerator<unknown, ModelCallResult, undefined>;

/** Connects agents of the Strands Agents SDK to a Spillway service. */
export function createSpillway<Tool>({
  sdk,
  ...options
}: StrandsSpillwayOptions<Tool>): StrandsSpillway<Tool> {
  const threads = new AgentThreads('ai-sdk', options);
  const readersOf = (thread: AgentThread): Tool[] =>
    threads.readers.map(({ name, description, parameters }) =>
      sdk.tool({
        name,
        description,
        inputSchema: parameters as never,
        callback: (input, { cancelSignal }) =>
          thread.runTool(name, input as Record<string, unknown>, cancelSignal),
      }),
    );
  return {
    get status() {
      return threads.status;
    },
    plugin: (threadId) => {
      const thread = threads.thread(threadId);
      return {
        name: 'spillway',
        initAgent: (agent) =>
          void agent.addMiddleware(sdk.InvokeModelStage as never, withContextOf(thread, sdk) as never),
        getTools: () => readersOf(thread),
      };
    },
  };
}

/** Returns what stands around the model calls of an agent. */
function withContextOf(thread: AgentThread, { Message }: Pick<Sdk<unknown>, 'Message'>) {
  let usage: { input_tokens: number } | undefined;
  /** Records what is new and gives the call its context; the agent's own messages stay as they are. */
  return async function* withContext(
    context: ModelCallContext,
    next: (context: ModelCallContext) => Call,
  ): Call {
    const { agent, model, messages, systemPrompt, toolSpecs } = context;
    const history = historyOf(messages);
    const system = textOf(systemPrompt);
    const call = {
      history: history.map(([message]) => message),
      model: model.modelId,
      system,
      tools: toolSpecs.map(schemaOf),
    };
    const shown = await thread.context({ ...call, usage, signal: agent.cancelSignal });
    const sent = shown && {
      ...context,
      messages: messagesOf(shown.messages, history).map((message) =>
        'toJSON' in message ? message : Message.fromJSON(message as never),
      ),
      ...(shown.system === null || shown.system === system ? {} : { systemPrompt: shown.system }),
    };
    const answered = yield* next(sent ?? context);
    const { message, stopReason, metadata } = answered.result;
    usage = metadata?.usage && usageOf(metadata.usage);
    // No model call is prepared with the last answer.
    if (stopReason !== 'toolUse')
      await thread.record({ ...call, history: [...call.history, ...answerOf(message)], usage });
    return answered;
  };
}

const schemaOf = ({ name, description, inputSchema = { type: 'object' } }: ToolSpec): object => ({
  type: 'function',
  name,
  description,
  inputSchema,
});

const answerOf = (message: StrandsMessage): Message[] => historyOf([message]).map(([answer]) => answer);

/** Providers count what came from a cache within the input or beside it: the total tells which. */
function usageOf({ inputTokens, outputTokens, totalTokens, ...cache }: Usage): { input_tokens: number } {
  const { cacheReadInputTokens = 0, cacheWriteInputTokens = 0 } = cache;
  const isWhole = inputTokens + outputTokens === totalTokens;
  return { input_tokens: isWhole ? inputTokens : inputTokens + cacheReadInputTokens + cacheWriteInputTokens };
}

const textOf = (prompt: ModelCallContext['systemPrompt']): string | undefined =>
  prompt === undefined || typeof prompt === 'string'
    ? prompt
    : prompt.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('\n');
