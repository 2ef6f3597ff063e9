import {
  parseQuotingInexact,
  SpillwayError,
  type Body,
  type Elided,
  type FormatName,
  type ReasoningReport,
} from '@spillway/engine';
import type { UpstreamProvider } from '../upstreams/provider-apis.js';

/** What a request to a provider says about the conversation. */
export interface ReadRequest {
  model: string;
  /** The system prompt as one text; null without one. */
  system: string | null;
  /** The conversation without the system prompt. */
  messages: Body[];
  tools: readonly unknown[];
  /** The provider is asked for the rest of an answer, which belongs to the context that it began behind. */
  isRest?: boolean;
}

/** The conversation that a provider is sent instead. */
export interface SentConversation {
  system: string | null;
  messages: readonly Body[];
  /** Null where no message is folded. */
  summary: object | null;
  /** Why reasoning was left out. */
  reasoning: Pick<ReasoningReport, 'why'>;
  elided: readonly Pick<Elided, 'reason'>[];
}

/** What a model answered. */
export interface ProviderReply {
  /** In the format of the API, in order. None of an answer that is only counted. */
  messages: Body[];
  /** As the provider reports it; null when it reports none. */
  usage: unknown;
}

/** Puts the reply together from the events of a stream. */
export interface ReplyCollector {
  add(event: { event?: string | undefined; data: string }): void;
  /** Nothing more comes, and the connection was not cut. */
  ended?(): void;
  /** Null until the stream has said that the reply is whole. */
  readonly reply: ProviderReply | null;
  /** The newest usage that the stream has reported; null until it reports one. */
  readonly usage: unknown;
}

/** One provider's API, as far as a proxy has to know it. A new one is a file here and a route. */
export interface WireApi {
  /** Under the provider's base URL. */
  path: string;
  provider: UpstreamProvider;
  format: FormatName;
  /** Throws `invalid_request` for a request whose history is kept by the provider. */
  read(body: Body): ReadRequest;
  /** The same request with another conversation. Everything else in it stays. */
  write(body: Body, asked: ReadRequest, sent: SentConversation): Body;
  /** The reply in an answer that came in one piece; null when it holds none. */
  replyIn(answer: unknown): ProviderReply | null;
  collectReply(): ReplyCollector;
}

/** The texts of a prompt that is a string or a list of text parts, as one. */
export function promptText(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt;
  if (!Array.isArray(prompt)) return '';
  return prompt
    .flatMap((part: unknown) => {
      const { text } = Object(part) as { text?: unknown };
      return typeof text === 'string' ? [text] : [];
    })
    .join('\n');
}

export const isSystem = ({ role }: Body): boolean => role === 'system' || role === 'developer';

/** Splits a conversation whose first messages are the system prompt. */
export function leadingPrompt(messages: readonly Body[]): {
  leading: Body[];
  system: string | null;
  rest: Body[];
} {
  const first = messages.findIndex((message) => !isSystem(message));
  const leading = messages.slice(0, first < 0 ? messages.length : first);
  return {
    leading,
    system: leading.length === 0 ? null : leading.map(({ content }) => promptText(content)).join('\n\n'),
    rest: messages.slice(leading.length),
  };
}

/** The id of the item that an item of Responses stands for; null of another. The AI SDK refers to what it was answered. */
export const referenceOf = ({ type, id }: Body): string | null =>
  type === 'item_reference' && typeof id === 'string' ? id : null;

/** Refuses messages that are not in the thread and not in the request either. */
export function refuseReferences(messages: readonly Body[]): void {
  const id = messages.map(referenceOf).find((one) => one !== null);
  if (id === undefined) return;
  throw refused(
    'input',
    `refers to the item ${JSON.stringify(id)}, which this thread does not have: send the item itself`,
  );
}

/** Whether a value of a request or a reply is a JSON object. */
export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null for text that is no JSON object. Large numbers of a call's input are strings, as in the next request. */
export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value = parseQuotingInexact(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The error for a field that a proxy cannot take. */
export const refused = (field: string, why: string): SpillwayError =>
  new SpillwayError('invalid_request', `/${field} ${why}.`, [{ path: `/${field}`, message: why }]);
