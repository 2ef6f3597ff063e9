import type { ServerResponse } from 'node:http';
import type { JsonMessage } from '../http/api.js';
import type { WireFormat } from './provider-rules.js';
import type { ScriptedReply } from './scripted-model.js';

/** What a request is about, in no provider's words. */
export interface ReadRequest {
  /** Default: what the body calls `model`. */
  model?: string;
  messages: JsonMessage[];
  system: string | null;
  tools: unknown[];
  stream: boolean;
  results: string[];
  asked: string[];
  /** The model must begin the tool loop that is in progress with a thinking block, as Claude before Fable 5.1. */
  thinking: boolean;
  /** The model is asked to think. */
  thinks: boolean;
}

/** One provider's API: its path, its strict reading of a request, and its way to answer. */
export interface WireApi {
  /** Matches its paths, without the query. */
  path: RegExp;
  format: WireFormat;
  /** Throws a `Refusal` for a body that the provider answers with 400. `path`: without the query. */
  read(body: Record<string, unknown>, path: string): ReadRequest;
  send(response: ServerResponse, answer: Answered): void;
  error(message: string): unknown;
}

export interface Answered {
  model: string;
  reply: ScriptedReply;
  /** Distinguishes ids of this answer from those of all others. */
  id: string;
  inputTokens: number;
  outputTokens: number;
  stream: boolean;
  /** The request that is answered, for what a provider signs. */
  request: ReadRequest;
}

/** The provider refuses the request with 400 and this text. */
export class Refusal extends Error {}

/** Refuses parameters that the provider does not know. */
export function onlyKnown(
  body: Record<string, unknown>,
  known: readonly string[],
  required: readonly string[],
) {
  for (const key of Object.keys(body))
    if (!known.includes(key)) throw new Refusal(`Unknown parameter: '${key}'.`);
  for (const key of required)
    if (body[key] === undefined || body[key] === null)
      throw new Refusal(`Missing required parameter: '${key}'.`);
}

export const textsOf = (content: unknown): string[] => {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    const { text, content: inner } = part as { text?: unknown; content?: unknown };
    if (typeof text === 'string') return [text];
    return inner === undefined ? [] : textsOf(inner);
  });
};

/** Server-sent events, as all providers stream. */
export function streamEvents(
  response: ServerResponse,
  events: readonly { event?: string; data: unknown }[],
  end = '',
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events)
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  response.end(end);
}
