import { AgentThreads, type AgentOptions, type AgentThread, type Status } from '@spillway/client/agent';
import { compactionOf } from './compaction.js';
import { wholeHistory } from './history.js';
import { contextMessages, historyOf, isUnfinished } from './messages.js';
import type { PiApi, PiContext, PiExtensionApi, PiMessage, Usage } from './pi.js';

export interface PiSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** The default export of an extension of pi. The thread of a session has the session's id. */
  readonly extension: (pi: PiExtensionApi) => void;
}

/** Connects the sessions of pi to a Spillway service. */
export function createSpillway(options: AgentOptions): PiSpillway {
  /** pi draws its screen itself: a line on the console would be lost in it. */
  let log: (line: string) => void = console.warn;
  const threads = new AgentThreads('ai-sdk', { log: (line) => log(line), ...options });
  const threadOf = ({ sessionManager }: PiContext): AgentThread =>
    threads.thread(sessionManager.getSessionId());
  /** What the provider counted in the newest call of a thread, until it is posted. */
  const usages = new WeakMap<AgentThread, object>();
  const takeUsage = (thread: AgentThread): object | undefined => {
    const usage = usages.get(thread);
    usages.delete(thread);
    return usage;
  };

  const extension = (api: PiExtensionApi): void => {
    const pi: PiApi = api;
    const settingsOf = (context: PiContext) => {
      const active = new Set(pi.getActiveTools());
      return {
        model: context.model?.id,
        system: context.getSystemPrompt(),
        tools: pi
          .getAllTools()
          .filter(({ name }) => active.has(name))
          .map(schemaOf),
      };
    };

    for (const { name, description, parameters } of threads.readers)
      pi.registerTool({
        name,
        label: name,
        description,
        parameters,
        async execute(_id, input, signal, _onUpdate, context) {
          const text = await threadOf(context).runTool(name, input, signal);
          return { content: [{ type: 'text', text }], details: undefined };
        },
      });

    pi.on('session_start', (_event, { hasUI, ui }) => {
      log = hasUI ? (line) => ui.notify(line, 'warning') : console.warn;
    });

    /** Records what is new and gives the call its context. The session keeps every message as it was. */
    pi.on('context', async ({ messages }, context) => {
      const { model, signal, sessionManager } = context;
      const whole = wholeHistory(messages, sessionManager.getBranch());
      const thread = threadOf(context);
      try {
        const served = await thread.context({
          history: historyOf(whole),
          ...settingsOf(context),
          usage: takeUsage(thread),
          signal,
        });
        return served && model ? { messages: contextMessages(served.messages, whole, model) } : undefined;
      } catch (error) {
        // The user stopped the run, so no call is made.
        if (signal?.aborted) return undefined;
        // pi shows what a handler throws and would call the model all the same.
        context.abort();
        throw error;
      }
    });

    pi.on('message_end', ({ message }, context) => {
      if (message.role === 'assistant' && message.usage && message.usage.totalTokens > 0)
        usages.set(threadOf(context), countsOf(message.usage));
    });

    /** Records the last answer, which no model call is prepared with. */
    pi.on('agent_end', async ({ messages }, context) => {
      const last = messages.at(-1);
      if (!last || isUnfinished(last)) return;
      const thread = threadOf(context);
      const history = historyOf(sessionMessages(context));
      await thread.record({ history, usage: takeUsage(thread) });
    });

    /** Gives pi the thread's summary in place of one that pi would ask the model for. */
    pi.on('session_before_compact', async ({ preparation, branchEntries, signal }, context) => {
      const history = historyOf(sessionMessages(context));
      const served = await threadOf(context).context({
        history,
        ...settingsOf(context),
        signal,
      });
      const compaction = served && compactionOf(served, branchEntries, preparation.tokensBefore);
      return compaction ? { compaction } : undefined;
    });
  };
  return {
    get status() {
      return threads.status;
    },
    extension,
  };
}

/** All messages of the session's branch. */
const sessionMessages = ({ sessionManager }: PiContext): PiMessage[] =>
  wholeHistory(sessionManager.buildSessionProjection().messages, sessionManager.getBranch());

const schemaOf = ({ name, description, parameters }: ReturnType<PiApi['getAllTools']>[number]): object => ({
  type: 'function',
  name,
  description,
  inputSchema: parameters,
});

/** pi's counts have the names of no provider; those of Anthropic say which tokens came from a cache. */
const countsOf = ({ input, output, cacheRead, cacheWrite }: Usage): object => ({
  input_tokens: input,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
  output_tokens: output,
});
