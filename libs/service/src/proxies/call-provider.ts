import { SpillwayError, type Body } from '@spillway/engine';
import { boundedFetch, type LlmSettings } from '@spillway/llm';
import type { WireApi } from './wire-api.js';

/** Headers of a provider's request, such as the caller's own key and version. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** The longest answer, as in the SDKs of the providers: a model that thinks may be silent for minutes. */
const timeoutMs = 600_000;
const idleMs = 300_000;
const maxAnswerBytes = 64 * 1024 * 1024;
const fetchAnswer = boundedFetch(maxAnswerBytes, idleMs);

const defaultBaseUrl = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' };
const ownVersion = { openai: {}, anthropic: { 'anthropic-version': '2023-06-01' } };

/** What a caller may tell its provider. */
const passedOn = /^(anthropic|openai)-|^user-agent$/;
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

/** Where a request goes, and with whose key. */
export interface Upstream {
  baseUrl: string;
  key: string | null;
}

/**
 * The provider of an API: with the server's key, or with the caller's own. Throws `upstream_not_configured` without
 * either.
 */
export function upstreamOf(
  llm: LlmSettings | null,
  { provider }: Pick<WireApi, 'provider'>,
  ownKey: string | null,
): Upstream {
  const configured = speaks(llm, provider) ? llm : null;
  if (!configured && ownKey === null)
    throw new SpillwayError(
      'upstream_not_configured',
      `No model of ${provider} is configured here. Set SPILLWAY_LLM_PROVIDER, or send your own key with Spillway-Key.`,
    );
  const baseUrl = (configured?.baseUrl ?? defaultBaseUrl[provider]).replace(/\/$/, '');
  return { baseUrl, key: ownKey ?? configured?.apiKey ?? null };
}

export interface ProviderCall {
  body: Body;
  headers: RequestHeaders;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Sends a request and returns the answer as it comes, whatever its status. Throws `upstream_failed` when the provider
 * cannot be reached.
 */
export async function callProvider(
  { baseUrl, key }: Upstream,
  { path, provider }: Pick<WireApi, 'path' | 'provider'>,
  { body, headers, signal }: ProviderCall,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const kept = Object.entries(headers).filter(([name]) => passedOn.test(name)) as [string, string][];
  const keyHeader =
    key === null ? {} : provider === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
  const sent = {
    ...ownVersion[provider],
    ...Object.fromEntries(kept),
    'content-type': 'application/json',
    // What the provider sends is what the caller gets, byte for byte.
    'accept-encoding': 'identity',
    ...keyHeader,
  };
  try {
    return await fetchAnswer(baseUrl + path, {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(body),
      signal: AbortSignal.any([timeout, signal]),
    });
  } catch (cause) {
    const why = signal.aborted
      ? 'The client disconnected before the model answered.'
      : timeout.aborted
        ? `The model did not answer within ${timeoutMs} ms.`
        : 'The model could not be reached.';
    throw new SpillwayError('upstream_failed', why, undefined, { cause });
  }
}

/** The headers of a provider's answer that its caller sees. */
export const passedBack = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !notPassedBack.has(name)));

/** The provider's own API, or another that speaks the same. */
const speaks = (llm: LlmSettings | null, provider: WireApi['provider']): llm is LlmSettings =>
  llm !== null &&
  (llm.provider === provider || (provider === 'openai' && llm.provider === 'openai-compatible'));
