import type { ProxiedRequest } from '@spillway/contracts';
import {
  countProxiedTokens,
  proxyAside,
  proxyTurn,
  type CallerRow,
  type FormatName,
  type IncomingMessage,
  type ProxyAnswer,
  type ProxyTurn,
  type Runtime,
  type TokenCount,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { ownKeyOf } from '../auth/credentials.js';
import { whenAbandoned } from '../http/abandoned.js';
import { incomingMessages } from '../messages/incoming-message.js';
import { proxiedThread, threadNamedBy } from './proxied-thread.js';

export type Sent = Record<string, string | undefined>;

export interface ProxiedCall {
  caller: CallerRow;
  sent: Sent;
  body: ProxiedRequest;
  reply: FastifyReply;
}

/** Runs a model call of an agent through its thread, and passes the provider's answer on. */
export async function passTurn(
  rt: Runtime,
  api: ProxyTurn['api'],
  { caller, sent, body, reply }: ProxiedCall,
): Promise<void> {
  const thread = proxiedThread(caller, sent, body, api);
  const call = {
    api,
    projectId: caller.projectId,
    key: caller,
    body: withoutOurs(body),
    headers: sent,
    ownKey: ownKeyOf(sent, api.provider),
    signal: whenAbandoned(reply.raw),
  };
  const answer =
    thread === 'beside'
      ? await proxyAside(rt, call)
      : await proxyTurn(rt, {
          ...call,
          threadId: thread === 'by_history' ? null : thread.id,
          incoming: (messages) => incomingUnnamed(messages, api.format),
        });
  await send(answer, reply);
}

/** Passes a question for a count of tokens on, and the provider's answer. */
export async function passCount(
  rt: Runtime,
  { api, model }: Pick<TokenCount, 'api' | 'model'>,
  { caller, sent, body, reply }: ProxiedCall,
): Promise<void> {
  threadNamedBy(caller, sent, body);
  const answer = await countProxiedTokens(rt, {
    api,
    model,
    projectId: caller.projectId,
    body: withoutOurs(body),
    headers: sent,
    ownKey: ownKeyOf(sent, api.provider),
    signal: whenAbandoned(reply.raw),
  });
  await send(answer, reply);
}

const send = ({ status, headers, body }: ProxyAnswer, reply: FastifyReply) =>
  reply
    .status(status)
    .headers(headers)
    .send(Readable.from(body, { objectMode: false }));

/** At most as many as one append takes. */
const checkedTogether = 1_000;

/** Ids of items are the provider's: what was recorded already is found by what it says. */
function incomingUnnamed(messages: readonly object[], format: FormatName): IncomingMessage[] {
  return Array.from({ length: Math.ceil(messages.length / checkedTogether) }, (_, i) =>
    messages.slice(i * checkedTogether, (i + 1) * checkedTogether),
  )
    .flatMap((some) => incomingMessages({ messages: some }, format, undefined))
    .map((message) => ({ ...message, clientId: null, pinned: false, sentAt: null }));
}

/** Providers refuse fields that they do not know. */
function withoutOurs({ metadata, ...body }: ProxiedRequest): Record<string, unknown> {
  if (!metadata) return metadata === undefined ? body : { ...body, metadata };
  const { spillway_thread: _, ...theirs } = metadata;
  return Object.keys(theirs).length === 0 ? body : { ...body, metadata: theirs };
}
