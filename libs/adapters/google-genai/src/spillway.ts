import {
  AgentThreads,
  geminiContents,
  geminiHistory,
  geminiSystem,
  geminiTools,
  geminiUsage,
  wholeAnswers,
  type AgentOptions,
  type AgentThread,
  type GeminiContent,
  type GeminiPart,
  type Status,
} from '@spillway/client/agent';
import { followed } from './answer.js';
import type { CallableTool, Config } from './sdk.js';
import { readersOf, toolsWith, type Tool } from './tools.js';

export interface GenAiSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** The thread of one conversation. Sends nothing; make it anew for each run. */
  thread(id: string): GenAiThread;
}

export interface GenAiThread {
  readonly id: string;
  /**
   * Returns the config for `generateContent`, `generateContentStream` or a chat: the caller's, with the tools with which
   * the model reads what left its context, and with a `fetch` that sends the thread's context.
   */
  config<T extends object>(own?: T & Config): Configured<T>;
  /** The reader tools alone, for a loop that runs the model's calls itself. Calls of other functions are left out. */
  readonly readers: CallableTool;
}

/** A config of the caller with tools and requests of a thread. */
export type Configured<T extends object> = Omit<T, 'tools' | 'httpOptions'> & {
  tools: (OwnTool<T> | Tool)[];
  httpOptions: { fetch: typeof fetch };
};

type OwnTool<T extends object> = 'tools' extends keyof T
  ? NonNullable<T['tools' & keyof T]> extends readonly (infer One)[]
    ? One
    : never
  : never;

/** The body of a request for an answer, as far as it matters here. */
interface Body {
  contents: GeminiContent[];
  systemInstruction?: unknown;
  tools?: object[];
  cachedContent?: string;
  continuationToken?: string;
}

/** An answer that is not finished: what was sent for it, and what the model said so far. */
interface Paused {
  body: Body;
  history: readonly GeminiContent[];
  parts: GeminiPart[];
}

/** Of Gemini's API and of Vertex AI, whose paths are longer. */
const modelCall = /\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Connects Google's Gen AI SDK to a Spillway service. */
export function createSpillway(options: AgentOptions): GenAiSpillway {
  const threads = new AgentThreads('ai-sdk', options);
  return {
    get status() {
      return threads.status;
    },
    thread(id) {
      const paused = new Map<string, Paused>();
      // A chat keeps its config for long: the thread is looked up in each call.
      const thread = () => threads.thread(id);
      return {
        id,
        config<T extends object>(own?: T & Config) {
          const send = own?.httpOptions?.fetch ?? fetch;
          return {
            ...own,
            tools: toolsWith(own ?? {}, thread, threads.readers),
            httpOptions: { ...own?.httpOptions, fetch: fetchOf(thread, paused, send) },
          } as unknown as Configured<T>;
        },
        get readers() {
          return readersOf(thread, threads.readers, undefined);
        },
      };
    },
  };
}

/** Records what is new in each request for an answer, sends the thread's context, and records the answer. */
function fetchOf(threadOf: () => AgentThread, paused: Map<string, Paused>, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const [, model, method] = modelCall.exec(url.pathname) ?? [];
    if (model === undefined || typeof init?.body !== 'string') return send(input, init);
    const asked = JSON.parse(init.body) as Body;
    const token = asked.continuationToken;
    const before = token === undefined ? undefined : paused.get(token);
    // A new answer, or one that goes on as it began. Nothing is known of the beginning of one of another process.
    if (token !== undefined && !before) return send(input, init);
    const thread = threadOf();
    const history = before?.history ?? wholeAnswers(asked.contents);
    const body = before?.body ?? (await withContext(thread, decodeURIComponent(model), asked, history, init));
    // A request for the rest of an answer may be sent again.
    if (!before) paused.clear();
    const response = await send(input, {
      ...init,
      body: JSON.stringify({ ...body, continuationToken: token }),
    });
    const begun = before?.parts ?? [];
    return followed(response, method === 'streamGenerateContent', {
      paused: (next, parts) => void paused.set(next, { body, history, parts: [...begun, ...parts] }),
      async ended({ parts, isWhole, usage }) {
        const [answer] = wholeAnswers([{ role: 'model', parts: [...begun, ...parts] }]);
        if (!isWhole || answer!.parts!.length === 0) return;
        const messages = geminiHistory([...history, answer!]).map(([message]) => message);
        await thread.record({ history: messages, usage: geminiUsage(usage) });
      },
    });
  };
}

/** Returns a request with the thread's context in place of its contents, or as it is when Spillway cannot be reached. */
async function withContext(
  thread: AgentThread,
  model: string,
  asked: Body,
  contents: readonly GeminiContent[],
  { signal }: RequestInit,
): Promise<Body> {
  const history = geminiHistory(contents);
  const system = geminiSystem(asked.systemInstruction);
  const shown = await thread.context({
    history: history.map(([message]) => message),
    model,
    system,
    tools: asked.tools && geminiTools(asked.tools),
    signal: signal ?? undefined,
  });
  if (!shown) return asked;
  // A cache holds the system instruction of its requests.
  const isOther = shown.system !== null && shown.system !== system && asked.cachedContent === undefined;
  return {
    ...asked,
    contents: geminiContents(shown.messages, history),
    ...(isOther ? { systemInstruction: { parts: [{ text: shown.system }] } } : {}),
  };
}
