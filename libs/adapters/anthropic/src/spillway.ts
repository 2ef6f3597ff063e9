import type { Middleware } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { AgentThreads, type AgentOptions, type AgentThread, type Status } from '@spillway/client/agent';
import { recorded } from './answer.js';
import { historyOf, requestWith, systemOf, type MessagesBody } from './request.js';

export interface AnthropicSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** For `new Anthropic({ middleware: [...] })`. Requests without a thread pass unchanged. */
  readonly middleware: Middleware;
  /** The thread of one conversation. Sends nothing; make it anew for each run. */
  thread(id: string): AnthropicThread;
}

export interface AnthropicThread {
  readonly id: string;
  /** Request options, for `toolRunner`, `messages.create` and `messages.stream`. They name the thread. */
  readonly options: { headers: Record<string, string> };
  /** Returns the agent's tools and those with which the model reads what left its context. */
  tools<T>(own?: readonly T[]): (T | BetaRunnableTool)[];
}

/** The middleware takes it out of the request: Anthropic does not get it. */
const threadHeader = 'spillway-thread';

/** Connects Anthropic's SDK to a Spillway service. */
export function createSpillway(options: AgentOptions): AnthropicSpillway {
  const threads = new AgentThreads('anthropic', options);
  const middleware: Middleware = async (request, next, context) => {
    const id = request.headers.get(threadHeader);
    // A middleware before this one may send the same request twice, and the thread is that of both.
    const headers = new Headers(request.headers);
    headers.delete(threadHeader);
    const named = { ...request, headers };
    if (id === null || !new URL(request.url).pathname.endsWith('/v1/messages')) return next(named);
    const thread = threads.thread(decodeURIComponent(id));
    const body = JSON.parse(request.body as string) as MessagesBody;
    if (body.thread !== undefined && body.thread !== null)
      throw new Error(
        '@spillway/anthropic needs the whole history in each request: give toolRunner `thread: false`.',
      );
    const history = historyOf(body);
    const served = await thread.context({
      history,
      model: body.model,
      system: systemOf(body),
      tools: body.tools,
      signal: request.signal ?? undefined,
    });
    const sent = served ? { ...named, body: JSON.stringify(requestWith(body, served)) } : named;
    return recorded(await next(sent), context, ({ role, content, usage }) =>
      thread.record({ history: [...history, { role, content }], usage }),
    );
  };
  return {
    get status() {
      return threads.status;
    },
    middleware,
    thread: (id) => ({
      id,
      options: { headers: { [threadHeader]: encodeURIComponent(id) } },
      tools: (own = []) => [...own, ...readersOf(threads.thread(id))],
    }),
  };

  function readersOf(thread: AgentThread): BetaRunnableTool[] {
    return threads.readers.map(({ name, description, parameters }) => {
      const inputSchema: { type: 'object' } = parameters;
      const run = (input: Record<string, unknown>, call?: { signal?: AbortSignal | null }) =>
        thread.runTool(name, input, call?.signal ?? undefined);
      return betaTool({ name, description, inputSchema, run });
    });
  }
}
