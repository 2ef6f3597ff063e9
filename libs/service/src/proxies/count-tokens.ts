import type { Runtime } from '../runtime.js';
import { upstreamOf } from '../upstreams/upstream-of.js';
import { callProvider, passedBack } from './call-provider.js';
import type { ProxyAnswer, ProxyTurn } from './proxy-turn.js';

/** A question of Anthropic's API about a request that is not sent yet. */
export type TokenCount = Pick<ProxyTurn, 'projectId' | 'body' | 'headers' | 'ownKey' | 'signal'>;

/**
 * Passes POST /messages/count_tokens on as it is: the provider counts what the caller would send, which may be any piece
 * of a conversation. No thread is read or written. Throws what `proxyTurn` throws for a model and an upstream.
 */
export async function countProxiedTokens(rt: Runtime, count: TokenCount): Promise<ProxyAnswer> {
  const upstream = await upstreamOf(rt, count.projectId, 'anthropic', count.ownKey?.key);
  upstream.modelFor(count.body.model as string, null);
  const answer = await callProvider(
    upstream,
    { path: '/messages/count_tokens', provider: 'anthropic' },
    count,
  );
  const body = (answer.body ?? []) as AsyncIterable<Uint8Array>;
  return { status: answer.status, headers: passedBack(answer), body };
}
