import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { clientId, contextBody, contextQuery } from '@spillway/contracts';
import { withMediaRoom, type CallerRow, type Runtime } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { checked, checkedQuery, valid } from '../http/valid.js';
import { isKnown } from '../http/preconditions.js';
import { InjectRuntime } from '../runtime.js';
import { contextFor, type ContextWithTools } from './context-for.js';
import { contextJson, contextTag, contextView } from './context.view.js';

interface ContextRequest {
  caller: CallerRow;
  params: { id: string };
  query: unknown;
  headers: { 'if-none-match'?: string };
}

@Controller('v1/threads/:id/context')
export class ContextController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(
    // As for appends: parameters of their own would cost promises.
    @Req() { caller, params, query: sent, headers }: ContextRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const threadId = checked(clientId, params.id, 'id');
    const query = checkedQuery(contextQuery, sent);
    return withMediaRoom(async () => {
      const context = await contextFor(this.rt, caller, threadId, query);
      const etag = contextTag(context, query);
      reply.header('etag', etag);
      if (isKnown(headers['if-none-match'], etag)) {
        reply.status(304);
        return undefined;
      }
      return written(context, query, reply);
    });
  }

  @Post()
  @HttpCode(200)
  async readWithBody(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(contextBody)) body: z.infer<typeof contextBody>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return withMediaRoom(async () => {
      const context = await contextFor(this.rt, caller, threadId, body);
      reply.header('etag', contextTag(context, body));
      return written(context, body, reply);
    });
  }
}

/** The answer; with messages as bytes, because that takes what their media need no longer. */
function written(
  context: ContextWithTools,
  query: { omit?: 'messages' | undefined },
  reply: FastifyReply,
): Buffer | ReturnType<typeof contextView> {
  if (query.omit) return contextView(context, query);
  reply.header('content-type', 'application/json; charset=utf-8');
  return contextJson(context);
}
