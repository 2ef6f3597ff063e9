import { createTool } from '@mastra/core/tools';
import type {
  ProcessInputStepArgs,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  ProcessOutputResultArgs,
  Processor,
} from '@mastra/core/processors';
import { AgentThreads, type AgentOptions, type AgentThread, type Status } from '@spillway/client/agent';
import { contextPrompt, historyOf, systemOf, type PromptMessage } from './prompt.js';

export interface MastraSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** To put into both lists of processors of an agent that has others. */
  readonly processor: Processor<'spillway'> & Required<Pick<Processor, Hooks>>;
  /** To spread into `new Agent(...)`. */
  readonly processors: Record<'inputProcessors' | 'outputProcessors', [MastraSpillway['processor']]>;
}

/** A tool as an agent has it when a step begins. */
interface OwnTool {
  description?: string;
  parameters?: { jsonSchema?: unknown };
}

type Hooks = 'processInputStep' | 'processLLMRequest' | 'processOutputResult';
type MessageList = ProcessOutputResultArgs['messageList'];

/** Connects agents of Mastra to a Spillway service. The thread of a run is `memory.thread` of its options. */
export function createSpillway(options: AgentOptions): MastraSpillway {
  const threads = new AgentThreads('ai-sdk', options);
  const threadOf = (messageList: MessageList | undefined): AgentThread => {
    const id = messageList?.serialize().memoryInfo?.threadId;
    if (id === undefined)
      throw new Error(
        '@spillway/mastra needs the thread: generate(messages, { memory: { thread, resource } }).',
      );
    return threads.thread(id);
  };
  const readersOf = (thread: AgentThread) =>
    Object.fromEntries(
      threads.readers.map(({ name, description, parameters }) => [
        name,
        createTool({
          id: name,
          description,
          inputSchema: parameters as never,
          execute: (input, { abortSignal }) =>
            thread.runTool(name, input as Record<string, unknown>, abortSignal),
        }),
      ]),
    );

  const readerSchemas = threads.readers.map(({ name, description, parameters }) =>
    schemaOf(name, { description, parameters: { jsonSchema: parameters } }),
  );

  const processor: MastraSpillway['processor'] = {
    id: 'spillway',
    /** Adds the tools with which the model reads what left its context. */
    processInputStep({ messageList, tools, state }: ProcessInputStepArgs) {
      const own = (tools ?? {}) as Record<string, OwnTool>;
      state.schemas = [...Object.entries(own).map(([name, one]) => schemaOf(name, one)), ...readerSchemas];
      return { tools: { ...readersOf(threadOf(messageList)), ...own } };
    },
    /** Records what is new and gives the call its context; nothing is stored in the caller's history. */
    async processLLMRequest(args: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const prompt = args.prompt as PromptMessage[];
      const context = await threadOf(args.messageList).context({
        history: historyOf(prompt),
        model: args.model.modelId,
        system: systemOf(prompt),
        tools: args.state.schemas as object[],
        usage: args.steps.at(-1)?.usage,
        signal: args.abortSignal,
      });
      if (!context) return undefined;
      return { prompt: contextPrompt(context.messages, context.system, prompt) as typeof args.prompt };
    },
    /** Records the last answer, which no model call is prepared with. */
    async processOutputResult({ messageList, result }: ProcessOutputResultArgs) {
      const history = historyOf(messageList.get.all.aiV5.prompt() as PromptMessage[]);
      await threadOf(messageList).record({ history, usage: result.steps.at(-1)?.usage });
      return messageList;
    },
  };
  return {
    get status() {
      return threads.status;
    },
    processor,
    processors: { inputProcessors: [processor], outputProcessors: [processor] },
  };
}

const schemaOf = (name: string, { description, parameters }: OwnTool): object => ({
  type: 'function',
  name,
  ...(description === undefined ? {} : { description }),
  inputSchema: parameters?.jsonSchema ?? { type: 'object' },
});
