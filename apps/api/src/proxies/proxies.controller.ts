import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import {
  anthropicRequest,
  chatCompletionRequest,
  responseRequest,
  type ProxiedRequest,
} from '@spillway/contracts';
import {
  countProxiedTokens,
  proxyTurn,
  wireApis,
  type CallerRow,
  type FormatName,
  type IncomingMessage,
  type ProxyAnswer,
  type ProxyTurn,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { Caller } from '../auth/caller.js';
import { ownKeyOf } from '../auth/credentials.js';
import { whenAbandoned } from '../http/abandoned.js';
import { valid } from '../http/valid.js';
import { incomingMessages } from '../messages/incoming-message.js';
import { InjectRuntime } from '../runtime.js';
import { proxiedThread, threadNamedBy } from './proxied-thread.js';

type Sent = Record<string, string | undefined>;

/** The providers' own APIs: an SDK whose base URL is Spillway's needs no other change. */
@Controller('v1')
export class ProxiesController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post('chat/completions')
  chatCompletion(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(chatCompletionRequest)) body: ProxiedRequest,
    @Res() reply: FastifyReply,
  ) {
    return this.pass(wireApis.chatCompletions, { caller, sent, body }, reply);
  }

  @Post('responses')
  response(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(responseRequest)) body: ProxiedRequest,
    @Res() reply: FastifyReply,
  ) {
    return this.pass(wireApis.responses, { caller, sent, body }, reply);
  }

  @Post('messages')
  message(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(anthropicRequest)) body: ProxiedRequest,
    @Res() reply: FastifyReply,
  ) {
    return this.pass(wireApis.anthropicMessages, { caller, sent, body }, reply);
  }

  @Post('messages/count_tokens')
  async countTokens(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(anthropicRequest)) body: ProxiedRequest,
    @Res() reply: FastifyReply,
  ) {
    threadNamedBy(caller, sent, body);
    const answer = await countProxiedTokens(this.rt, {
      projectId: caller.projectId,
      body: withoutOurs(body),
      headers: sent,
      ownKey: ownKeyOf(sent, 'anthropic'),
      signal: whenAbandoned(reply.raw),
    });
    await send(answer, reply);
  }

  private async pass(
    api: ProxyTurn['api'],
    { caller, sent, body }: { caller: CallerRow; sent: Sent; body: ProxiedRequest },
    reply: FastifyReply,
  ): Promise<void> {
    const answer = await proxyTurn(this.rt, {
      api,
      projectId: caller.projectId,
      threadId: proxiedThread(caller, sent, body, api),
      body: withoutOurs(body),
      headers: sent,
      ownKey: ownKeyOf(sent, api.provider),
      signal: whenAbandoned(reply.raw),
      incoming: (messages) => incomingUnnamed(messages, api.format),
    });
    await send(answer, reply);
  }
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
