import type { AgentThread, ReaderTool } from '@spillway/client/agent';
import {
  asSchema,
  dynamicTool,
  jsonSchema,
  type ModelMessage,
  type SystemModelMessage,
  type Tool,
  type ToolSet,
} from 'ai';

/** What a step is prepared with, as far as it matters here. */
interface Step {
  stepNumber: number;
  model: string | { modelId: string };
  instructions: string | SystemModelMessage | SystemModelMessage[] | undefined;
  messages: ModelMessage[];
  /** Since version 7. */
  initialMessages?: ModelMessage[];
  responseMessages?: readonly ModelMessage[];
  steps: readonly { usage: unknown }[];
}

interface End {
  finalStep: { usage: unknown };
  responseMessages: readonly ModelMessage[];
}

/** How a run uses a thread. */
export interface ThreadOptions {
  /** The `abortSignal` of the run: the AI SDK does not give it to the hooks. Ends the requests to Spillway too. */
  abortSignal?: AbortSignal | undefined;
}

/** One conversation. Its hooks serve one run at a time. */
export class AiSdkThread {
  /** All messages of this run's conversation, as the caller has them. */
  private history: ModelMessage[] = [];
  /** How many of the run's answers and results the history has. */
  private answered = 0;
  /** How many messages the last step was sent: what follows them is new. */
  private sent = 0;
  /** The caller's instructions, and those that the last step was sent: the AI SDK gives these to the next one. */
  private instructions: Step['instructions'];
  private sentInstructions: Step['instructions'];
  private ownTools: ToolSet = {};
  private schemas: Promise<object[]> | undefined;

  constructor(
    private readonly thread: AgentThread,
    private readonly readers: readonly ReaderTool[],
    private readonly options: ThreadOptions = {},
  ) {}

  get id(): string {
    return this.thread.id;
  }

  /** Returns the agent's tools and those with which the model reads what left its context. */
  tools<T extends ToolSet>(own: T = {} as T): T & Record<string, Tool> {
    this.ownTools = own;
    this.schemas = undefined;
    return { ...this.readerTools(), ...own };
  }

  /** To spread into `new ToolLoopAgent(...)`, `generateText` or `streamText`. */
  get hooks() {
    return { prepareStep: this.prepareStep, onEnd: this.onEnd };
  }

  /** Records what is new and gives the step its context; nothing when Spillway cannot be reached. */
  readonly prepareStep = async (step: Step) => {
    // Version 6 gives each step the caller's messages again, so that what is new cannot be told from them.
    const { stepNumber, messages, initialMessages, responseMessages = [], instructions, model } = step;
    if (initialMessages === undefined)
      throw new Error(
        '@spillway/ai-sdk needs version 7 of the AI SDK: this one has no initialMessages in prepareStep.',
      );
    this.history = stepNumber === 0 ? [...messages] : [...this.history, ...messages.slice(this.sent)];
    this.answered = responseMessages.length;
    if (stepNumber === 0 || instructions !== this.sentInstructions) this.instructions = instructions;
    const system = textOfInstructions(this.instructions);
    const context = await this.thread.context({
      history: this.history,
      model: typeof model === 'string' ? model : model.modelId,
      system,
      tools: await (this.schemas ??= this.schemasOf({ ...this.ownTools, ...this.readerTools() })),
      usage: step.steps.at(-1)?.usage,
      signal: this.options.abortSignal,
    });
    // What is returned comes back with the next step.
    this.sent = context?.messages.length ?? messages.length;
    if (!context) return undefined;
    // System messages at the start of the history are sent with the instructions. The caller's may hold more than text,
    // such as marks of a cache.
    const isOwn = (context.system ?? '') === (system ?? '');
    this.sentInstructions = isOwn ? this.instructions : (context.system ?? undefined);
    return {
      messages: context.messages as unknown as ModelMessage[],
      instructions: this.sentInstructions,
    };
  };

  /** Records the last answer, which no step is prepared with. Messages that steered the run are in the history alone. */
  readonly onEnd = async ({ responseMessages, finalStep }: End) => {
    const history = [...this.history, ...responseMessages.slice(this.answered)];
    await this.thread.record({ history, usage: finalStep.usage });
  };

  private readerTools(): Record<string, Tool> {
    return Object.fromEntries(
      this.readers.map(({ name, description, parameters }) => [
        name,
        dynamicTool({
          description,
          inputSchema: jsonSchema(parameters as Parameters<typeof jsonSchema>[0]),
          execute: (input, { abortSignal }) =>
            this.thread.runTool(name, input as Record<string, unknown>, abortSignal),
        }),
      ]),
    );
  }

  private schemasOf(tools: ToolSet): Promise<object[]> {
    return Promise.all(
      Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
        type: 'function',
        name,
        ...(typeof description === 'string' ? { description } : {}),
        inputSchema: await asSchema(inputSchema).jsonSchema,
      })),
    );
  }
}

/** The text of instructions in any of their forms. As messages they have options of a provider, such as for its cache. */
function textOfInstructions(instructions: Step['instructions']): string | undefined {
  if (instructions === undefined || typeof instructions === 'string') return instructions;
  return [instructions]
    .flat()
    .map(({ content }) => content)
    .join('\n\n');
}
