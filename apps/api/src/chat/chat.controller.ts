import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { chatTurn, clientId } from '@spillway/contracts';
import { chat, type CallerRow, type Runtime } from '@spillway/service';
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { whenAbandoned } from '../http/abandoned.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/threads/:id/chat')
export class ChatController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post()
  @HttpCode(200)
  async say(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(chatTurn)) { content, model }: z.infer<typeof chatTurn>,
    @Res({ passthrough: true }) response: { raw: ServerResponse },
  ) {
    const signal = whenAbandoned(response.raw);
    const { projectId } = caller;
    const turn = { projectId, key: caller, threadId, content: content ?? null, model: model ?? null, signal };
    const reply = await chat(this.rt, turn);
    const { seq, message, contextTokens, usage = null } = reply;
    return { seq, message, context_tokens: contextTokens, usage };
  }
}
