import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import {
  anthropicRequest,
  chatCompletionRequest,
  responseRequest,
  type ProxiedRequest,
} from '@spillway/contracts';
import { tokenCounts, wireApis, type CallerRow, type Runtime } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import { Caller } from '../auth/caller.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { passCount, passTurn, type Sent } from './pass-on.js';

/** The APIs of OpenAI and Anthropic: an SDK whose base URL is Spillway's needs no other change. */
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
    return passTurn(this.rt, wireApis.chatCompletions, { caller, sent, body, reply });
  }

  @Post('responses')
  response(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(responseRequest)) body: ProxiedRequest,
    @Res() reply: FastifyReply,
  ) {
    return passTurn(this.rt, wireApis.responses, { caller, sent, body, reply });
  }

  @Post('messages')
  message(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(anthropicRequest)) body: ProxiedRequest,
    @Res() reply: FastifyReply,
  ) {
    return passTurn(this.rt, wireApis.anthropicMessages, { caller, sent, body, reply });
  }

  @Post('messages/count_tokens')
  countTokens(
    @Caller() caller: CallerRow,
    @Headers() sent: Sent,
    @Body(valid(anthropicRequest)) body: ProxiedRequest & { model: string },
    @Res() reply: FastifyReply,
  ) {
    const of = { api: tokenCounts.anthropic, model: body.model };
    return passCount(this.rt, of, { caller, sent, body, reply });
  }
}
