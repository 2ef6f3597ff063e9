import {
  AgentThreads,
  identityOf,
  type AgentOptions,
  type AgentThread,
  type Status,
} from '@spillway/client/agent';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import {
  createMiddleware,
  SystemMessage,
  tool,
  type AgentMiddleware,
  type AIMessage,
  type BaseMessage,
} from 'langchain';
import { contextMessages, modelMessage, modelMessages } from './messages.js';

export interface LangChainSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** For `createAgent`. The thread of a run is `configurable.thread_id`, as for checkpointers. */
  readonly middleware: AgentMiddleware;
}

/** The parts of a run and of a tool call that name the conversation. */
interface Run {
  configurable?: { thread_id?: string; checkpoint_ns?: string };
  /** Of a tool call: the state of its agent. */
  state?: { messages?: readonly BaseMessage[] };
  signal?: AbortSignal;
}

/** Connects agents of LangChain to a Spillway service. */
export function createSpillway(options: AgentOptions): LangChainSpillway {
  const threads = new AgentThreads('ai-sdk', options);
  /**
   * An agent inside another graph inherits its `thread_id`. One that is a tool has another conversation than its caller,
   * with each call; one that is a node may go on with an earlier one. So the first message is a part of its thread's id.
   */
  const threadOf = (run: Run, [first]: readonly BaseMessage[] = run.state?.messages ?? []): AgentThread => {
    const { thread_id: id, checkpoint_ns: path = '' } = run.configurable ?? {};
    if (id === undefined)
      throw new Error(
        '@spillway/langchain needs the thread: invoke(input, { configurable: { thread_id } }).',
      );
    // The path of nodes that leads to this call, of which the last is a node of the agent itself.
    const isInner = path.includes('|');
    return threads.thread(isInner && first ? `${id}:${identityOf(modelMessage(first))}` : id);
  };
  /** What the provider counted in the newest call of a thread, until it is posted. */
  const usages = new WeakMap<AgentThread, unknown>();
  const takeUsage = (thread: AgentThread): unknown => {
    const usage = usages.get(thread);
    usages.delete(thread);
    return usage;
  };

  const readers = threads.readers.map(({ name, description, parameters }) =>
    tool(
      (input: Record<string, unknown>, run: Run) => threadOf(run).runTool(name, input, run.signal),
      // A JSON schema: the type of `schema` wants a library's.
      { name, description, schema: parameters as never },
    ),
  );

  const middleware = createMiddleware({
    name: 'Spillway',
    tools: readers,
    async wrapModelCall(request, handler) {
      const { messages, model, systemMessage, tools, runtime } = request;
      const thread = threadOf(runtime, messages);
      const system = systemMessage.text;
      const context = await thread.context({
        history: modelMessages(messages),
        model: nameOf(model),
        system: system === '' ? undefined : system,
        tools: tools.map((one) => ('type' in one ? one : convertToOpenAITool(one))),
        usage: takeUsage(thread),
        signal: runtime.signal,
      });
      const answer = await handler(
        context === null
          ? request
          : {
              ...request,
              messages: contextMessages(context.messages, messages),
              // A system message of the caller's may hold more than text, such as marks of a cache.
              systemMessage:
                (context.system ?? '') === system ? systemMessage : new SystemMessage(context.system ?? ''),
            },
      );
      usages.set(thread, usageOf(answer));
      return answer;
    },
    /** Records the last answer, which no model call is prepared with. */
    async afterAgent({ messages }, runtime) {
      const thread = threadOf(runtime, messages);
      await thread.record({ history: modelMessages(messages), usage: takeUsage(thread) });
    },
  });
  return {
    get status() {
      return threads.status;
    },
    middleware: middleware as AgentMiddleware,
  };
}

const nameOf = (model: object): string | undefined => {
  const { model: name, modelName = name } = model as { model?: unknown; modelName?: unknown };
  return typeof modelName === 'string' ? modelName : undefined;
};

/** The counts of LangChain are named as those of the Responses API. */
const usageOf = (answer: Partial<AIMessage>): object | undefined => {
  const { input_tokens, output_tokens, total_tokens } = answer.usage_metadata ?? {};
  return input_tokens === undefined ? undefined : { input_tokens, output_tokens, total_tokens };
};
