import type { ServerResponse } from 'node:http';
import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { startRecordedProvider, type RecordedProvider } from './recorded-provider.js';

/** A stack whose model is a server that answers what a test says, byte for byte, and remembers what it was asked. */
export interface ProxyRig extends Pick<RecordedProvider, 'answer' | 'received'> {
  stack: Stack;
  api: Api;
  /** Sends a chat completion for a thread; without a thread's id, without the header. Unknown options go into the body. */
  post(id: string, messages: object[], options?: PostOptions): Promise<Response>;
  /** What a thread shows, as role and text. */
  shown(id: string): Promise<string[]>;
  stop(): Promise<void>;
}

interface PostOptions {
  key?: string;
  url?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  [field: string]: unknown;
}

export const model = 'gpt-4o-mini';
export const user = (content: string) => ({ role: 'user' as const, content });
export const assistant = (content: string) => ({ role: 'assistant' as const, content });

/** A chat completion in one piece. */
export const replies = (content: string) => (response: ServerResponse) => {
  const message = { role: 'assistant', content, refusal: null };
  const body = {
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export async function startProxyRig(): Promise<ProxyRig> {
  const provider = await startRecordedProvider(replies('unasked'));
  const stack = await startStack({
    workers: 0,
    redis: false,
    env: {
      SPILLWAY_LLM_PROVIDER: 'openai',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1`,
      SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
      SPILLWAY_LLM_MODEL: model,
    },
  });
  const api = apiOf(stack);
  const rig: ProxyRig = {
    stack,
    api,
    get answer() {
      return provider.answer;
    },
    set answer(answer) {
      provider.answer = answer;
    },
    get received() {
      return provider.received;
    },
    set received(received) {
      provider.received = received;
    },
    post: (id, messages, { key = stack.key, url = stack.url, signal, headers, ...fields } = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(id === '' ? {} : { 'spillway-thread': id }),
          ...headers,
        },
        body: JSON.stringify({ model, messages, ...fields }),
        ...(signal ? { signal } : {}),
      }),
    shown: async (id) =>
      (await api.context(id)).messages.map((message) => {
        const { role, content } = message as { role: string; content: string };
        return `${role}: ${content}`;
      }),
    stop: async () => {
      await stack.stop();
      await provider.stop();
    },
  };
  return rig;
}
