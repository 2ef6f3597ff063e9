import { SpillwayError, type Body } from '@spillway/engine';
import { boundedAnswer } from '@spillway/llm';
import type { Upstream } from '../upstreams/upstream-of.js';
import type { WireApi } from './wire-api.js';

/** Headers of a provider's request, such as the caller's own key and version. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/**
 * The longest answer in one piece, and the longest wait for a stream, as in the SDKs of the providers: a model that thinks
 * may be silent for minutes. A stream may take any time as long as its bytes flow.
 */
const longestMs = 600_000;
const idleMs = 300_000;
const maxAnswerBytes = 64 * 1024 * 1024;

const ownVersion: Record<WireApi['provider'], Record<string, string>> = {
  openai: {},
  anthropic: { 'anthropic-version': '2023-06-01' },
  google: {},
};

/** A caller's own key at its provider. Gateways, and Anthropic for tokens, want it in the header in which it came. */
export interface OwnKey {
  header: 'authorization' | 'x-api-key' | 'x-goog-api-key';
  key: string;
}

/** Where a provider looks for a key first. */
export const keyHeader = {
  openai: 'authorization',
  anthropic: 'x-api-key',
  google: 'x-goog-api-key',
} as const;

/** What a caller may tell its provider. */
const passedOn = /^(anthropic|openai)-|^x-goog-(?!api-key$)|^user-agent$/;
/** Headers of one connection, of the encoding that `fetch` undid, and cookies of the provider. */
const notPassedBack = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What tells a browser how to treat an answer: that is the API's to say, whatever an upstream sends. */
const forBrowsers =
  /^(?:access-control-|clear-site-data$|content-security-policy|cross-origin-|permissions-policy$|referrer-policy$|refresh$|strict-transport-security$|x-content-type-options$|x-frame-options$)/;

export interface ProviderCall {
  body: Body;
  headers: RequestHeaders;
  /** Null: the key is the project's or the server's. */
  ownKey: OwnKey | null;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Takes room for a request of so many bytes until its caller releases it. Refuses by what it throws. */
  hold?: (bytes: number) => void;
}

/**
 * Sends a request and returns the answer as it comes, whatever its status. Throws `upstream_failed` when the provider
 * cannot be reached.
 */
export async function callProvider(
  { baseUrl, key, post }: Pick<Upstream, 'baseUrl' | 'key' | 'post'>,
  { path, provider }: Pick<WireApi, 'path' | 'provider'>,
  { body, headers, ownKey, signal, hold }: ProviderCall,
  timeoutMs = longestMs,
): Promise<Response> {
  const json = JSON.stringify(body);
  hold?.(json.length);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs).unref();
  const kept = Object.entries(headers).filter(([name]) => passedOn.test(name)) as [string, string][];
  const header = ownKey?.header ?? keyHeader[provider];
  const sent = {
    ...ownVersion[provider],
    ...Object.fromEntries(kept),
    'content-type': 'application/json',
    // What the provider sends is what the caller gets, byte for byte.
    'accept-encoding': 'identity',
    ...(key === null ? {} : { [header]: header === 'authorization' ? `Bearer ${key}` : key }),
  };
  try {
    const request = {
      headers: sent,
      body: json,
      signal: AbortSignal.any([timeout.signal, signal]),
    };
    const answer = await post(baseUrl + path, request);
    if (isEventStream(answer)) clearTimeout(timer);
    return boundedAnswer(answer, maxAnswerBytes, idleMs);
  } catch (cause) {
    clearTimeout(timer);
    const why = signal.aborted
      ? 'The client disconnected before the model answered.'
      : timeout.signal.aborted
        ? `The model did not answer within ${timeoutMs} ms.`
        : 'The model could not be reached.';
    throw new SpillwayError('upstream_failed', why, undefined, { cause });
  }
}

export const isEventStream = ({ headers }: Response): boolean =>
  /event-stream/.test(headers.get('content-type') ?? '');

/** The headers of a provider's answer that its caller sees. */
export const passedBack = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !notPassedBack.has(name) && !forBrowsers.test(name)));
