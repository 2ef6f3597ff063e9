import type { ServerResponse } from 'node:http';
import type { AppProcess } from '@spillway/testing';
import type { Content, Part } from '../../agents/frameworks/google-genai/session.js';
import { startProxyRig, type ProxyRig } from '../proxy-rig.js';

export const gemini = 'gemini-3.1-pro-preview';
export const user = (...parts: (Part | string)[]): Content => ({ role: 'user', parts: parts.map(partOf) });
export const model = (...parts: (Part | string)[]): Content => ({ role: 'model', parts: parts.map(partOf) });
const partOf = (part: Part | string): Part => (typeof part === 'string' ? { text: part } : part);

export const usage = { promptTokenCount: 40, candidatesTokenCount: 3, thoughtsTokenCount: 2 };

/** An answer, or a piece of one. */
export const answerOf = (parts: Part[], finishReason: string | null = 'STOP', more: object = {}): object => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}), ...more },
  ],
  usageMetadata: usage,
  modelVersion: gemini,
});

/** An answer in one piece. */
export const says = (text: string) => sends(200, answerOf([{ text }]));
export const sends = (status: number, body: object) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A proxy rig whose API calls a provider of Google's. */
export interface GeminiRig extends ProxyRig {
  google: AppProcess;
  /** A request for an answer, as JSON. */
  ask(id: string, body: object, options?: AskOptions): Promise<Response>;
  /** What the provider was sent last. */
  sent(): { contents: Content[]; [field: string]: unknown };
}

export interface AskOptions {
  key?: string;
  method?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export async function startGeminiRig(): Promise<GeminiRig> {
  const rig = await startProxyRig();
  const google = await rig.stack.startApi({
    SPILLWAY_LLM_PROVIDER: 'google',
    SPILLWAY_LLM_MODEL: gemini,
    SPILLWAY_LLM_API_KEY: 'key-of-the-server',
  });
  return Object.assign(Object.create(rig) as ProxyRig, {
    google,
    ask: (
      id: string,
      body: object,
      { key = rig.stack.key, method = `${gemini}:generateContent`, headers, signal }: AskOptions = {},
    ) =>
      fetch(`${google.url}/v1beta/models/${method}`, {
        method: 'POST',
        headers: {
          'x-goog-api-key': key,
          'content-type': 'application/json',
          ...(id === '' ? {} : { 'spillway-thread': id }),
          ...headers,
        },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    sent: () => rig.received.at(-1)!.body as unknown as ReturnType<GeminiRig['sent']>,
  });
}
