import type { Runtime } from '../runtime.js';
import { upstreamOf } from '../upstreams/upstream-of.js';
import { callProvider, passedBack } from './call-provider.js';
import { pathOfModel } from './gemini-content.js';
import type { ProxyAnswer } from './proxy-answer.js';
import type { ProxyTurn } from './proxy-turn.js';
import type { WireApi } from './wire-api.js';

/** A question of a provider's API about a request that is not sent yet. */
export interface TokenCount extends Pick<ProxyTurn, 'projectId' | 'body' | 'headers' | 'ownKey' | 'signal'> {
  api: Pick<WireApi, 'path' | 'provider'>;
  model: string;
}

/** Where the providers count tokens. That of OpenAI does not. */
export const tokenCounts = {
  anthropic: { path: '/messages/count_tokens', provider: 'anthropic' },
  google: (model: string) => ({ path: `${pathOfModel(model)}:countTokens`, provider: 'google' as const }),
} as const;

/**
 * Passes a question for a count of tokens on as it is: the provider counts what the caller would send, which may be any
 * piece of a conversation. No thread is read or written. Throws what `proxyTurn` throws for a model and an upstream.
 */
export async function countProxiedTokens(rt: Runtime, count: TokenCount): Promise<ProxyAnswer> {
  const { api, model } = count;
  const upstream = await upstreamOf(rt, count.projectId, api.provider, count.ownKey?.key);
  upstream.modelFor(model, null);
  const answer = await callProvider(upstream, api, count);
  const body = (answer.body ?? []) as AsyncIterable<Uint8Array>;
  return { status: answer.status, headers: passedBack(answer), body };
}
